import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApprovalPolicyResponse, OrgQuery, UpdateApprovalPolicyDto } from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { SETTINGS_PROBLEMS } from '../tenants/org-settings.ts';
import { ApprovalPolicyService } from './approval-policy.service.ts';

const versionOf = ({ approvalPolicy }: ApprovalPolicyResponse): number => approvalPolicy.version;

@ApiTags('PAM config')
@Controller('pam/approval-policy')
export class ApprovalPolicyController {
  constructor(private readonly approvalPolicy: ApprovalPolicyService) {}

  /**
   * Reads how many approvals an organisation's requests need, how long they wait for them, and who must not approve.
   */
  @Get()
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ApprovalPolicyResponse, ...WITH_ETAG })
  @ApiProblems('org_required', 'organization_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<ApprovalPolicyResponse> {
    return { success: true, approvalPolicy: await this.approvalPolicy.get(caller, orgId) };
  }

  /**
   * Sets how many approvals an organisation's requests need, how long they wait for them, and who must not approve.
   * Pending requests keep the terms under which they were made.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.approval_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ApprovalPolicyResponse, ...WITH_ETAG })
  @ApiProblems(...SETTINGS_PROBLEMS, 'site_not_in_org', 'target_not_found', 'approvers_insufficient')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() body: UpdateApprovalPolicyDto,
  ): Promise<ApprovalPolicyResponse> {
    const approvalPolicy = await this.approvalPolicy.update(caller, withOrganization(body, query));
    return { success: true, approvalPolicy };
  }
}
