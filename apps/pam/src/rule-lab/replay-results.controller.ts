import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  OrgQuery,
  ReplayChangesQuery,
  ReplayChangesResponse,
  ReplayResponse,
  ReplaysResponse,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ReplaysService } from './replays.service.ts';

@ApiTags('PAM replays')
@Controller('pam/replays')
export class ReplayResultsController {
  constructor(private readonly replays: ReplaysService) {}

  /** Lists the 50 newest replays of an organisation. They are kept for 7 days. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: ReplaysResponse })
  @ApiProblems('org_required', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<ReplaysResponse> {
    return { success: true, replays: await this.replays.list(caller, orgId) };
  }

  /** Shows how far a replay is, and what it found once it is completed. */
  @Get(':id')
  @Requires('devices:read')
  @ApiOkResponse({ type: ReplayResponse })
  @ApiProblems('replay_not_found')
  async get(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<ReplayResponse> {
    return { success: true, ...(await this.replays.get(caller, { id, orgId })) };
  }

  /** Lists the requests that would be decided otherwise, newest first. At most 10 000 are kept. */
  @Get(':id/changes')
  @Requires('devices:read')
  @ApiOkResponse({ type: ReplayChangesResponse })
  @ApiProblems('replay_not_found')
  async changes(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() query: ReplayChangesQuery,
  ): Promise<ReplayChangesResponse> {
    const { changes, total } = await this.replays.listReplayChanges(caller, id, query);
    return { success: true, changes, pagination: { page: query.page, limit: query.limit, total } };
  }

  /** Ends a replay that waits or runs. */
  @Post(':id/cancel')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { audit: 'pam.rule.preview' })
  @ApiOkResponse({ type: ReplayResponse })
  @ApiProblems('replay_not_found', 'conflict')
  async cancel(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<ReplayResponse> {
    return { success: true, ...(await this.replays.cancel(caller, { id, orgId })) };
  }
}
