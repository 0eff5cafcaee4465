import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ChangeRuleDto,
  ListedRuleResponse,
  NewRuleDto,
  OrgQuery,
  type PamRuleRecord,
  RuleResponse,
  RulesQuery,
  RulesResponse,
  SuccessResponse,
} from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/one-organization.ts';
import { RulesService } from './rules.service.ts';

const versionOf = ({ rule }: { rule: PamRuleRecord }): number => rule.version;

@ApiTags('PAM rules')
@Controller('pam/rules')
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  /**
   * Lists an organisation's rules in the order in which they are tried; with `effective`, between those of its partner;
   * with `scope=partner`, the partner's alone.
   */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: RulesResponse })
  @ApiProblems('org_required', 'organization_not_found', 'scope_denied', 'partner_required', 'partner_not_found')
  list(@CurrentCaller() caller: UserCaller, @Query() query: RulesQuery): Promise<RulesResponse> {
    return this.rules.list(caller, query);
  }

  /** Reads a rule of an organisation or of its partner. */
  @Get(':id')
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ListedRuleResponse, ...WITH_ETAG })
  @ApiProblems('rule_not_found')
  async get(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<ListedRuleResponse> {
    return { success: true, rule: await this.rules.get(caller, { id, orgId }) };
  }

  /**
   * Creates a rule. All its criteria must match; the first rule that matches a request decides it. A rule of the
   * partner that comes before others only denies or asks; it does so whatever was decided.
   */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: RuleResponse, ...WITH_ETAG })
  @ApiProblems(
    'org_required',
    'pam_rule_invalid',
    'pam_rule_risky',
    'pam_rule_risk_tier_unreachable',
    'site_not_in_org',
    'signer_group_not_in_org',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
    'elevation_request_not_found',
    'partner_access_denied',
    'partner_required',
    'partner_not_found',
    'conflict',
  )
  create(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: NewRuleDto,
  ): Promise<RuleResponse> {
    return this.rules.create(caller, withOrganization(draft, query));
  }

  /** Changes a rule. A member that is left out stays; null clears a criterion. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: RuleResponse, ...WITH_ETAG })
  @ApiProblems(
    'no_updates_provided',
    'pam_rule_invalid',
    'pam_rule_risky',
    'pam_rule_risk_tier_unreachable',
    'site_not_in_org',
    'signer_group_not_in_org',
    'site_access_denied',
    'rule_not_found',
    'partner_access_denied',
    'organization_frozen',
    'organization_not_found',
    'version_conflict',
  )
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() patch: ChangeRuleDto,
  ): Promise<RuleResponse> {
    return this.rules.update(caller, { id, orgId }, patch);
  }

  /** Deletes a rule. Decisions that it made stay. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(
    'site_access_denied',
    'rule_not_found',
    'partner_access_denied',
    'organization_frozen',
    'organization_not_found',
    'version_conflict',
  )
  async delete(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.rules.delete(caller, { id, orgId });
    return { success: true };
  }
}
