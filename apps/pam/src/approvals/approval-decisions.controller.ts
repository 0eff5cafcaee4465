import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApprovalSettledResponse, ApproveDto, DEFAULT_APPROVAL_MINUTES, DenyDto } from '@gatehouse/contracts-pam';
import { ticketOf } from '@gatehouse/pam-domain';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DecisionsService } from './decisions.service.ts';

const PROBLEMS = [
  'site_access_denied',
  'self_approval_denied',
  'approval_not_found',
  'already_decided',
  'approval_expired',
  'tool_execution_timed_out',
  'organization_frozen',
  'conflict',
] as const;

/** A technician's decisions about their own approvals. */
@ApiTags('Approvals')
@Controller('approvals/:id')
export class ApprovalDecisionsController {
  constructor(private readonly decisions: DecisionsService) {}

  /**
   * Approves the request of an approval. The approvals of the other technicians expire, unless the request requires
   * more of them.
   */
  @Post('approve')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.approve' })
  @ApiBody({ type: ApproveDto, required: false })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...PROBLEMS, 'separation_of_duties', 'already_voted', 'pam_frozen', 'ticket_required', 'ticket_invalid')
  approve(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { durationMinutes, reason, ticket }: ApproveDto,
  ): Promise<ApprovalSettledResponse> {
    return this.decisions.settleApproval(caller, id, 'approved', {
      durationMinutes,
      reason: reason ?? null,
      ticket: ticketOf(ticket),
    });
  }

  /** Denies the request of an approval. The approvals of the other technicians expire. */
  @Post('deny')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.deny' })
  @ApiBody({ type: DenyDto, required: false })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...PROBLEMS)
  deny(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { reason }: DenyDto,
  ): Promise<ApprovalSettledResponse> {
    return this.decisions.settleApproval(caller, id, 'denied', {
      durationMinutes: DEFAULT_APPROVAL_MINUTES,
      reason: reason ?? null,
    });
  }

  /** Denies the request of an approval and reports it as suspicious. */
  @Post('report-suspicious')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:execute', { mfa: true, audit: 'pam.approval.report' })
  @ApiOkResponse({ type: ApprovalSettledResponse })
  @ApiProblems(...PROBLEMS)
  report(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ApprovalSettledResponse> {
    return this.decisions.settleApproval(caller, id, 'reported', {
      durationMinutes: DEFAULT_APPROVAL_MINUTES,
      reason: 'Reported as suspicious.',
    });
  }
}
