import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApprovalResponse, ApprovalsResponse, ListApprovalsQuery } from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApprovalsService } from './approvals.service.ts';

@ApiTags('Approvals')
@Controller('approvals')
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  /** Lists the caller's approvals. */
  @Get()
  @Requires('devices:execute')
  @ApiOkResponse({ type: ApprovalsResponse })
  list(@CurrentCaller() caller: UserCaller, @Query() query: ListApprovalsQuery): Promise<ApprovalsResponse> {
    return this.approvals.list(caller, query);
  }

  /** Reads one of the caller's approvals. */
  @Get(':id')
  @Requires('devices:execute')
  @ApiOkResponse({ type: ApprovalResponse })
  @ApiProblems('approval_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ApprovalResponse> {
    return { success: true, approval: await this.approvals.get(caller, id) };
  }
}
