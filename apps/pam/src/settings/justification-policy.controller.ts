import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { JustificationPolicyResponse, OrgQuery, UpdateJustificationPolicyDto } from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { SETTINGS_PROBLEMS } from '../tenants/org-settings.ts';
import { JustificationPolicyService } from './justification-policy.service.ts';

const versionOf = ({ justificationPolicy }: JustificationPolicyResponse): number => justificationPolicy.version;

@ApiTags('PAM config')
@Controller('pam/justification-policy')
export class JustificationPolicyController {
  constructor(private readonly justificationPolicy: JustificationPolicyService) {}

  /** Reads which reasons and tickets an organisation's requests need. */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: JustificationPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<JustificationPolicyResponse> {
    return { success: true, justificationPolicy: await this.justificationPolicy.get(caller, orgId) };
  }

  /**
   * Sets which reasons and tickets an organisation's requests need. Pending requests keep the terms under which they
   * were made.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.justification_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: JustificationPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS)
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateJustificationPolicyDto,
  ): Promise<JustificationPolicyResponse> {
    const justificationPolicy = await this.justificationPolicy.update(caller, withOrganization(body, query));
    return { success: true, justificationPolicy };
  }
}
