import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateSignerGroupDto,
  OrgQuery,
  SignerGroupResponse,
  type SignerGroupRecord,
  SignerGroupsQuery,
  SignerGroupsResponse,
  SuccessResponse,
  UpdateSignerGroupDto,
} from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/require-place.ts';
import { SignerGroupsService } from './signer-groups.service.ts';
import { CHANGE_PROBLEMS, OWNER_PROBLEMS, READABLE_OWNER_PROBLEMS } from '../tenants/owners.ts';

const answerOf = (signerGroup: SignerGroupRecord): SignerGroupResponse => ({
  success: true,
  signerGroup,
  signerGroups: [signerGroup],
});

const versionOf = ({ signerGroup }: SignerGroupResponse): number => signerGroup.version;

@ApiTags('PAM signer groups')
@Controller('pam/signer-groups')
export class SignerGroupsController {
  constructor(private readonly signerGroups: SignerGroupsService) {}

  /** Lists the signer groups of an organisation, or with `scope=partner` those of the partner. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: SignerGroupsResponse })
  @ApiProblems(...READABLE_OWNER_PROBLEMS)
  list(@CurrentCaller() caller: UserCaller, @Query() query: SignerGroupsQuery): Promise<SignerGroupsResponse> {
    return this.signerGroups.list(caller, query);
  }

  /** Creates a signer group. Partner rules can refer only to the partner's own groups. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: SignerGroupResponse, ...WITH_ETAG })
  @ApiProblems(...OWNER_PROBLEMS, 'conflict')
  async create(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: CreateSignerGroupDto,
  ): Promise<SignerGroupResponse> {
    return answerOf(await this.signerGroups.create(caller, withOrganization(draft, query)));
  }

  /** Changes a signer group. Rules that refer to it use the new list at once. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: SignerGroupResponse, ...WITH_ETAG })
  @ApiProblems(
    ...CHANGE_PROBLEMS,
    'no_updates_provided',
    'pam_rule_risky',
    'signer_group_not_found',
    'version_conflict',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() patch: UpdateSignerGroupDto,
  ): Promise<SignerGroupResponse> {
    return answerOf(await this.signerGroups.update(caller, { id, orgId }, patch));
  }

  /** Deletes a signer group that no rule refers to. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...CHANGE_PROBLEMS, 'signer_group_not_found', 'signer_group_in_use', 'version_conflict')
  async delete(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.signerGroups.delete(caller, { id, orgId });
    return { success: true };
  }
}
