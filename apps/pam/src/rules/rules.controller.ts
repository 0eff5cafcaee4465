import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ChangeRuleDto,
  CopyRuleDto,
  LintResponse,
  ListedRuleResponse,
  NewRuleDto,
  OrgQuery,
  type PamRuleRecord,
  ReorderRulesDto,
  RuleCopiesResponse,
  RuleResponse,
  RulesQuery,
  RulesResponse,
  RuleUsageQuery,
  RuleUsageResponse,
  SuccessResponse,
} from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { CopyRule } from './copy-rule.ts';
import { RuleLintService } from './rule-linter.ts';
import { RuleOrderService, RulesService, RuleUsageService } from './rules.service.ts';
import { CHANGE_PROBLEMS, OWNER_PROBLEMS, READABLE_OWNER_PROBLEMS } from '../tenants/owners.ts';
import { RULE_PROBLEMS } from './vetted-rule.ts';

const versionOf = ({ rule }: { rule: PamRuleRecord }): number => rule.version;

@ApiTags('PAM rules')
@Controller('pam/rules')
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  /**
   * Lists an organisation's rules in the order of evaluation; with `effective`, together with those of its partner;
   * with `scope=partner`, only the partner's.
   */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: RulesResponse })
  @ApiProblems(...READABLE_OWNER_PROBLEMS)
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
   * Creates a rule. All its criteria must match; the first rule that matches a request decides it. A partner rule that
   * comes before others only denies or requires approval, and overrides every other decision.
   */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: RuleResponse, ...WITH_ETAG })
  @ApiProblems(...OWNER_PROBLEMS, ...RULE_PROBLEMS, 'pam_rule_risky', 'elevation_request_not_found', 'conflict')
  create(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: NewRuleDto,
  ): Promise<RuleResponse> {
    return this.rules.create(caller, withOrganization(draft, query));
  }

  /** Changes a rule. Omitted members are not changed; null clears a criterion. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: RuleResponse, ...WITH_ETAG })
  @ApiProblems(
    ...CHANGE_PROBLEMS,
    ...RULE_PROBLEMS,
    'no_updates_provided',
    'pam_rule_risky',
    'rule_not_found',
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

  /** Deletes a rule. Its past decisions are kept. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...CHANGE_PROBLEMS, 'rule_not_found', 'version_conflict')
  async delete(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.rules.delete(caller, { id, orgId });
    return { success: true };
  }
}

@ApiTags('PAM rules')
@Controller('pam/rules/order')
export class RuleOrderController {
  constructor(private readonly ruleOrder: RuleOrderService) {}

  /**
   * Reorders rules of an organisation. The named rules keep the places that they hold together; all priorities become
   * 10, 20, 30 and so on. The caller must reach every site.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.reorder' })
  @ApiOkResponse({ type: RulesResponse })
  @ApiProblems('org_required', 'organization_not_found', 'organization_frozen', 'site_access_denied', 'rule_not_found')
  reorder(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() order: ReorderRulesDto,
  ): Promise<RulesResponse> {
    return this.ruleOrder.reorderRules(caller, withOrganization(order, query));
  }
}

const OK = 200;

@ApiTags('PAM rules')
@Controller('pam/rules/:id/copies')
export class RuleCopiesController {
  constructor(private readonly copyRule: CopyRule) {}

  /**
   * Copies a rule to other organisations. The result is reported for each organisation; a failure does not affect the
   * others. A rule with a site or a signer group cannot be copied, because these belong to its organisation.
   */
  @Post()
  @HttpCode(OK)
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.create' })
  @ApiOkResponse({ type: RuleCopiesResponse })
  @ApiProblems('rule_not_found')
  async copy(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() targets: CopyRuleDto,
  ): Promise<RuleCopiesResponse> {
    return { success: true, copies: await this.copyRule.copy(caller, { id, orgId }, targets) };
  }
}

@ApiTags('PAM rules')
@Controller('pam/rules/lint')
export class RuleLintController {
  constructor(
    private readonly ruleLint: RuleLintService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Lists the rules of an organisation that can never match, are covered by others, or are too broad. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: LintResponse })
  @ApiProblems('org_required', 'organization_not_found')
  lint(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<LintResponse> {
    return this.heavyCalls.during(caller.id, () => this.ruleLint.lintRules(caller, orgId));
  }
}

@ApiTags('PAM rules')
@Controller('pam/rules/usage')
export class RuleUsageController {
  constructor(private readonly ruleUsage: RuleUsageService) {}

  /** Counts how often each rule of an organisation matched. A match is counted within a minute. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: RuleUsageResponse })
  @ApiProblems('org_required', 'organization_not_found')
  usage(@CurrentCaller() caller: UserCaller, @Query() query: RuleUsageQuery): Promise<RuleUsageResponse> {
    return this.ruleUsage.get(caller, query);
  }
}
