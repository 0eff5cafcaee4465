import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ApprovalResponse,
  ApprovalsResponse,
  ApprovalSettledResponse,
  ApproveDto,
  DEFAULT_APPROVAL_MINUTES,
  DenyDto,
  ListApprovalsQuery,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ListApprovals } from './list-approvals.ts';
import { SettleApproval } from '../decisions/settle-approval.ts';

const REFUSES = [
  'site_access_denied',
  'self_approval_denied',
  'approval_not_found',
  'already_decided',
  'approval_expired',
  'tool_execution_timed_out',
  'organization_frozen',
  'conflict',
] as const;

@ApiTags('Approvals')
@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly listApprovals: ListApprovals,
    private readonly settleApproval: SettleApproval,
  ) {}

  /** Lists the caller's approval cards. */
  @Get()
  @Requires('devices:execute')
  @ApiOkResponse({ type: ApprovalsResponse })
  async list(@CurrentCaller() caller: UserCaller, @Query() { status }: ListApprovalsQuery): Promise<ApprovalsResponse> {
    return { success: true, approvals: await this.listApprovals.execute(caller, status) };
  }

  /** Reads one of the caller's approval cards. */
  @Get(':id')
  @Requires('devices:execute')
  @ApiOkResponse({ type: ApprovalResponse })
  @ApiProblems('approval_not_found')
  async read(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ApprovalResponse> {
    return { success: true, approval: await this.listApprovals.one(caller, id) };
  }

  /** Approves the request behind a card. The cards of the other technicians expire. */
  @Post(':id/approve')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.approve' })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...REFUSES)
  approve(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { durationMinutes }: ApproveDto,
  ): Promise<ApprovalSettledResponse> {
    return this.settleApproval.execute(caller, id, 'approved', { durationMinutes, reason: null });
  }

  /** Denies the request behind a card. The cards of the other technicians expire. */
  @Post(':id/deny')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.deny' })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...REFUSES)
  deny(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { reason }: DenyDto,
  ): Promise<ApprovalSettledResponse> {
    return this.settleApproval.execute(caller, id, 'denied', {
      durationMinutes: DEFAULT_APPROVAL_MINUTES,
      reason: reason ?? null,
    });
  }

  /** Denies the request behind a card and reports it as suspicious. */
  @Post(':id/report-suspicious')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.report' })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...REFUSES)
  report(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ApprovalSettledResponse> {
    return this.settleApproval.execute(caller, id, 'reported', {
      durationMinutes: DEFAULT_APPROVAL_MINUTES,
      reason: 'Reported as suspicious.',
    });
  }
}
