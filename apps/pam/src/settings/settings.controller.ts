import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ApprovalPolicyResponse,
  EscalationPolicyResponse,
  JustificationPolicyResponse,
  OrgQuery,
  PamConfigResponse,
  ToolCatalogResponse,
  UpdateApprovalPolicyDto,
  UpdateEscalationPolicyDto,
  UpdateJustificationPolicyDto,
  UpdatePamConfigDto,
} from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import {
  APPROVAL_POLICY,
  CONFIG,
  ESCALATION_POLICY,
  JUSTIFICATION_POLICY,
  SettingsService,
} from './settings.service.ts';
import { ToolsService } from './tools.service.ts';

/** The codes of the problems that any change of settings may have. */
const SETTINGS_PROBLEMS = [
  'org_required',
  'organization_not_found',
  'organization_frozen',
  'site_access_denied',
  'version_conflict',
] as const;

const versionOfPolicy = ({ approvalPolicy }: ApprovalPolicyResponse): number => approvalPolicy.version;
const versionOfEscalation = ({ escalationPolicy }: EscalationPolicyResponse): number => escalationPolicy.version;
const versionOfTerms = ({ justificationPolicy }: JustificationPolicyResponse): number => justificationPolicy.version;
const versionOfConfig = ({ config }: PamConfigResponse): number => config.version;

@ApiTags('PAM config')
@Controller('pam/approval-policy')
export class ApprovalPolicyController {
  constructor(private readonly settings: SettingsService) {}

  /** Reads an organisation's approval policy: the number of approvals, the timeout, and who must not approve. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOfPolicy)
  @ApiOkResponse({ type: ApprovalPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<ApprovalPolicyResponse> {
    return { success: true, approvalPolicy: await this.settings.get(APPROVAL_POLICY, caller, orgId) };
  }

  /**
   * Sets an organisation's approval policy: the number of approvals, the timeout, and who must not approve. It does not
   * affect pending requests.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.approval_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOfPolicy)
  @ApiOkResponse({ type: ApprovalPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS, 'site_not_in_org', 'target_not_found', 'approvers_insufficient')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateApprovalPolicyDto,
  ): Promise<ApprovalPolicyResponse> {
    const approvalPolicy = await this.settings.update(APPROVAL_POLICY, caller, withOrganization(body, query));
    return { success: true, approvalPolicy };
  }
}

@ApiTags('PAM config')
@Controller('pam/escalation-policy')
export class EscalationPolicyController {
  constructor(private readonly settings: SettingsService) {}

  /**
   * Reads an organisation's escalation policy: what happens while requests are pending, and who is notified of their
   * outcome.
   */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOfEscalation)
  @ApiOkResponse({ type: EscalationPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<EscalationPolicyResponse> {
    return { success: true, escalationPolicy: await this.settings.get(ESCALATION_POLICY, caller, orgId) };
  }

  /**
   * Sets an organisation's escalation policy: what happens while requests are pending, and who is notified of their
   * outcome. It also applies to pending requests.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.escalation_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOfEscalation)
  @ApiOkResponse({ type: EscalationPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateEscalationPolicyDto,
  ): Promise<EscalationPolicyResponse> {
    const escalationPolicy = await this.settings.update(ESCALATION_POLICY, caller, withOrganization(body, query));
    return { success: true, escalationPolicy };
  }
}

@ApiTags('PAM config')
@Controller('pam/justification-policy')
export class JustificationPolicyController {
  constructor(private readonly settings: SettingsService) {}

  /** Reads an organisation's requirements for reasons and tickets. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOfTerms)
  @ApiOkResponse({ type: JustificationPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<JustificationPolicyResponse> {
    return { success: true, justificationPolicy: await this.settings.get(JUSTIFICATION_POLICY, caller, orgId) };
  }

  /** Sets an organisation's requirements for reasons and tickets. It does not affect pending requests. */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.justification_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOfTerms)
  @ApiOkResponse({ type: JustificationPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateJustificationPolicyDto,
  ): Promise<JustificationPolicyResponse> {
    const justificationPolicy = await this.settings.update(JUSTIFICATION_POLICY, caller, withOrganization(body, query));
    return { success: true, justificationPolicy };
  }
}

@ApiTags('PAM config')
@Controller('pam/config')
export class OrgConfigController {
  constructor(private readonly settings: SettingsService) {}

  /** Reads an organisation's defaults for requests that no rule decides. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOfConfig)
  @ApiOkResponse({ type: PamConfigResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<PamConfigResponse> {
    return { success: true, config: await this.settings.get(CONFIG, caller, orgId) };
  }

  /** Sets an organisation's defaults for requests that no rule decides. */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.config.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOfConfig)
  @ApiOkResponse({ type: PamConfigResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdatePamConfigDto,
  ): Promise<PamConfigResponse> {
    return { success: true, config: await this.settings.update(CONFIG, caller, withOrganization(body, query)) };
  }
}

@ApiTags('AI tool actions')
@Controller('pam/tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  /** Lists the tools of the catalogue with the risk tiers of their actions. An unknown tool has tier 4. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: ToolCatalogResponse })
  catalog(): ToolCatalogResponse {
    return { success: true, tools: this.tools.list() };
  }
}
