import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateSignerGroupDto,
  OrgQuery,
  SignerGroupResponse,
  type SignerGroupRecord,
  SignerGroupsResponse,
  SuccessResponse,
  UpdateSignerGroupDto,
} from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../organizations/one-organization.ts';
import { CreateSignerGroup } from './create-signer-group.ts';
import { DeleteSignerGroup } from './delete-signer-group.ts';
import { ListSignerGroups } from './list-signer-groups.ts';
import { UpdateSignerGroup } from './update-signer-group.ts';

const answerOf = (signerGroup: SignerGroupRecord): SignerGroupResponse => ({
  success: true,
  signerGroup,
  signerGroups: [signerGroup],
});

@ApiTags('PAM signer groups')
@Controller('pam/signer-groups')
export class SignerGroupsController {
  constructor(
    private readonly listSignerGroups: ListSignerGroups,
    private readonly createSignerGroup: CreateSignerGroup,
    private readonly updateSignerGroup: UpdateSignerGroup,
    private readonly deleteSignerGroup: DeleteSignerGroup,
  ) {}

  /** Lists an organisation's signer groups. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: SignerGroupsResponse })
  @ApiProblems('org_required', 'organization_not_found')
  async list(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<SignerGroupsResponse> {
    return { success: true, signerGroups: await this.listSignerGroups.execute(caller, orgId) };
  }

  /** Creates a signer group. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.create' })
  @ApiCreatedResponse({ type: SignerGroupResponse })
  @ApiProblems('org_required', 'organization_not_found', 'organization_frozen', 'site_access_denied', 'conflict')
  async create(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() draft: CreateSignerGroupDto,
  ): Promise<SignerGroupResponse> {
    return answerOf(await this.createSignerGroup.execute(caller, withOrganization(draft, query)));
  }

  /** Changes a signer group. Rules that refer to it use the new list at once. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.update' })
  @ApiOkResponse({ type: SignerGroupResponse })
  @ApiProblems(
    'no_updates_provided',
    'signer_group_not_found',
    'organization_frozen',
    'site_access_denied',
    'organization_not_found',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() patch: UpdateSignerGroupDto,
  ): Promise<SignerGroupResponse> {
    return answerOf(await this.updateSignerGroup.execute(caller, { id, orgId }, patch));
  }

  /** Deletes a signer group that no rule refers to. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.signer_group.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(
    'signer_group_not_found',
    'signer_group_in_use',
    'organization_frozen',
    'site_access_denied',
    'organization_not_found',
  )
  async delete(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
  ): Promise<SuccessResponse> {
    await this.deleteSignerGroup.execute(caller, { id, orgId });
    return { success: true };
  }
}
