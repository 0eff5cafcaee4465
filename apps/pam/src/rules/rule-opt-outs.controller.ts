import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  OptOutOfRuleDto,
  OrgQuery,
  RuleOptOutResponse,
  RuleOptOutsResponse,
  SuccessResponse,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { RuleOptOutsService } from './rule-opt-outs.service.ts';

@ApiTags('PAM rules')
@Controller('pam/rules/:id')
export class RuleOptOutsController {
  constructor(private readonly ruleOptOuts: RuleOptOutsService) {}

  /** Lists the organisations in reach that have opted out of a partner rule. */
  @Get('opt-outs')
  @Requires('devices:read')
  @ApiOkResponse({ type: RuleOptOutsResponse })
  @ApiProblems('rule_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<RuleOptOutsResponse> {
    return { success: true, optOuts: await this.ruleOptOuts.list(caller, id) };
  }

  /** Opts an organisation out of a partner rule, or changes the reason. */
  @Put('opt-out')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.opt_out' })
  @ApiOkResponse({ type: RuleOptOutResponse })
  @ApiProblems(
    'org_required',
    'organization_not_found',
    'organization_frozen',
    'site_access_denied',
    'rule_not_found',
    'opt_out_not_allowed',
  )
  async optOut(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() query: OrgQuery,
    @Body() draft: OptOutOfRuleDto,
  ): Promise<RuleOptOutResponse> {
    return { success: true, optOut: await this.ruleOptOuts.optOutOfRule(caller, id, withOrganization(draft, query)) };
  }

  /** Opts an organisation back in to a partner rule. */
  @Delete('opt-out')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.opt_in' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('org_required', 'organization_not_found', 'organization_frozen', 'site_access_denied', 'rule_not_found')
  async optIn(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() query: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.ruleOptOuts.optInToRule(caller, id, query);
    return { success: true };
  }
}
