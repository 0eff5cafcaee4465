import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { EscalationPolicyResponse, OrgQuery, UpdateEscalationPolicyDto } from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { SETTINGS_PROBLEMS } from '../tenants/org-settings.ts';
import { EscalationPolicyService } from './escalation-policy.service.ts';

const versionOf = ({ escalationPolicy }: EscalationPolicyResponse): number => escalationPolicy.version;

@ApiTags('PAM config')
@Controller('pam/escalation-policy')
export class EscalationPolicyController {
  constructor(private readonly escalationPolicy: EscalationPolicyService) {}

  /** Reads what happens while an organisation's requests wait, and who hears how they end. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: EscalationPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<EscalationPolicyResponse> {
    return { success: true, escalationPolicy: await this.escalationPolicy.get(caller, orgId) };
  }

  /**
   * Sets what happens while an organisation's requests wait, and who hears how they end. It holds for pending requests
   * too.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.escalation_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: EscalationPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateEscalationPolicyDto,
  ): Promise<EscalationPolicyResponse> {
    const escalationPolicy = await this.escalationPolicy.update(caller, withOrganization(body, query));
    return { success: true, escalationPolicy };
  }
}
