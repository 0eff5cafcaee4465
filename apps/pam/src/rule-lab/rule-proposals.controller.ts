import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { RuleProposalsQuery, RuleProposalsResponse } from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RuleProposalsService } from './rule-proposals.service.ts';

@ApiTags('Elevation requests')
@Controller('pam/elevation-requests/:id/rule-proposals')
export class RuleProposalsController {
  constructor(
    private readonly ruleProposals: RuleProposalsService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Proposes rules of three widths that would decide requests like this one. Nothing is saved; a proposal becomes a
   * rule by `POST /pam/rules`.
   */
  @Get()
  @Requires('devices:write')
  @ApiOkResponse({ type: RuleProposalsResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found')
  async propose(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { verdict }: RuleProposalsQuery,
  ): Promise<RuleProposalsResponse> {
    const proposals = await this.heavyCalls.during(caller.id, () =>
      this.ruleProposals.proposeRules(caller, id, verdict),
    );
    return { success: true, proposals };
  }
}
