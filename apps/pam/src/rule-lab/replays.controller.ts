import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  AppliedReplayResponse,
  ApplyReplayDto,
  CreateReplayDto,
  OrgQuery,
  ReplayChangesQuery,
  ReplayChangesResponse,
  ReplayResponse,
  ReplaysResponse,
  ReplayStartedResponse,
} from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RULE_PROBLEMS } from '../rules/vetted-rule.ts';
import { withOrganization } from '../tenants/require-place.ts';
import { ApplyReplay } from './apply-replay.ts';
import { ReplaysService } from './replays.service.ts';

const CHANGES_PROBLEMS = [
  ...RULE_PROBLEMS,
  'rule_not_found',
  'pam_rule_risky',
  'site_access_denied',
  'organization_frozen',
  'organization_not_found',
  'conflict',
] as const;

@ApiTags('PAM replays')
@Controller('pam/replays')
export class ReplaysController {
  constructor(
    private readonly replays: ReplaysService,
    private readonly applyReplay: ApplyReplay,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Replays past requests with a changed rule set. Nothing changes until the replay is applied. */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  @Requires('devices:write', { audit: 'pam.replay.start' })
  @ApiBody({ type: CreateReplayDto, required: false })
  @ApiAcceptedResponse({ type: ReplayStartedResponse })
  @ApiProblems('org_required', 'job_running', ...CHANGES_PROBLEMS)
  start(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: CreateReplayDto,
  ): Promise<ReplayStartedResponse> {
    return this.heavyCalls.during(caller.id, async () => ({
      success: true,
      jobId: await this.replays.start(caller, withOrganization(draft, query)),
    }));
  }

  /** Applies the changes of a replay, all at once, if the rules have not changed since the replay. */
  @Post(':id/apply')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { mfa: true, audit: 'pam.ruleset.apply' })
  @ApiOkResponse({ type: AppliedReplayResponse })
  @ApiProblems('replay_not_found', 'rulebook_stale', 'plan_stale', ...CHANGES_PROBLEMS)
  async apply(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() { acceptNewlyApproved }: ApplyReplayDto,
  ): Promise<AppliedReplayResponse> {
    return { success: true, ...(await this.applyReplay.apply(caller, { id, orgId }, acceptNewlyApproved)) };
  }
}

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

  /** Reads the progress of a replay, and its result once it is completed. */
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

  /** Lists the requests that would be decided differently, newest first. At most 10 000 are kept. */
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

  /** Cancels a queued or running replay. */
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
