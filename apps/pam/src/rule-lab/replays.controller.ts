import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  AppliedReplayResponse,
  ApplyReplayDto,
  CreateReplayDto,
  OrgQuery,
  ReplayStartedResponse,
} from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/one-organization.ts';
import { ApplyReplay } from './apply-replay.ts';
import { ReplaysService } from './replays.service.ts';

const RULE_PROBLEMS = [
  'rule_not_found',
  'pam_rule_invalid',
  'pam_rule_risky',
  'pam_rule_risk_tier_unreachable',
  'site_not_in_org',
  'signer_group_not_in_org',
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

  /** Replays the requests of the past under a changed rule set. Nothing changes until the replay is applied. */
  @Post()
  @HttpCode(HttpStatus.ACCEPTED)
  @Requires('devices:write', { audit: 'pam.replay.start' })
  @ApiAcceptedResponse({ type: ReplayStartedResponse })
  @ApiProblems('org_required', 'job_running', ...RULE_PROBLEMS)
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

  /** Makes the changes of a replay, all at once, if the rules are still those that it was compared with. */
  @Post(':id/apply')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { mfa: true, audit: 'pam.ruleset.apply' })
  @ApiOkResponse({ type: AppliedReplayResponse })
  @ApiProblems('replay_not_found', 'rulebook_stale', 'plan_stale', ...RULE_PROBLEMS)
  async apply(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() { acceptNewlyApproved }: ApplyReplayDto,
  ): Promise<AppliedReplayResponse> {
    return { success: true, ...(await this.applyReplay.apply(caller, { id, orgId }, acceptNewlyApproved)) };
  }
}
