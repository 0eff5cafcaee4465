import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateRuleDto,
  OrgQuery,
  PreviewResponse,
  PreviewRuleDto,
  RuleResponse,
  RulesResponse,
  SuccessResponse,
  UpdateRuleDto,
} from '@gatehouse/contracts-pam';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS, ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../organizations/one-organization.ts';
import { DeleteRule } from './delete-rule.ts';
import { ListRules } from './list-rules.ts';
import { PreviewRule } from './preview-rule.ts';
import { CreateRule } from './create-rule.ts';

@ApiTags('PAM rules')
@Controller('pam/rules')
export class RulesController {
  constructor(
    private readonly listRules: ListRules,
    private readonly saveRule: CreateRule,
    private readonly deleteRule: DeleteRule,
    private readonly previewRule: PreviewRule,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  /** Lists an organisation's rules in the order in which they are tried. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: RulesResponse })
  @ApiProblems('org_required', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<RulesResponse> {
    return { success: true, rules: await this.listRules.execute(caller, orgId) };
  }

  /** Creates a rule. All its criteria must match; the first rule that matches a request decides it. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.create' })
  @ApiCreatedResponse({ type: RuleResponse })
  @ApiProblems(
    'org_required',
    'pam_rule_invalid',
    'pam_rule_risk_tier_unreachable',
    'site_not_in_org',
    'signer_group_not_in_org',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
    'conflict',
  )
  async create(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: CreateRuleDto,
  ): Promise<RuleResponse> {
    return { success: true, rule: await this.saveRule.create(caller, withOrganization(draft, query)) };
  }

  /** Says which past requests a rule would have matched, without saving it. */
  @Post('preview')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { audit: 'pam.rule.preview' })
  @ApiOkResponse({ type: PreviewResponse })
  @ApiProblems(
    'org_required',
    'organization_not_found',
    'pam_rule_invalid',
    'pam_rule_risk_tier_unreachable',
    'site_not_in_org',
    'signer_group_not_in_org',
  )
  preview(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: PreviewRuleDto,
  ): Promise<PreviewResponse> {
    return this.heavyCalls.during(caller.id, () => this.previewRule.execute(caller, withOrganization(draft, query)));
  }

  /** Changes a rule. A member that is left out stays; null clears a criterion. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.update' })
  @ApiOkResponse({ type: RuleResponse })
  @ApiProblems(
    'no_updates_provided',
    'pam_rule_invalid',
    'pam_rule_risk_tier_unreachable',
    'site_not_in_org',
    'signer_group_not_in_org',
    'site_access_denied',
    'rule_not_found',
    'organization_frozen',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() patch: UpdateRuleDto,
  ): Promise<RuleResponse> {
    return { success: true, rule: await this.saveRule.update(caller, { id, orgId }, patch) };
  }

  /** Deletes a rule. Decisions that it made stay. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'rule_not_found', 'organization_frozen')
  async delete(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.deleteRule.execute(caller, { id, orgId });
    return { success: true };
  }
}
