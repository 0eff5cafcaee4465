import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateSoftwarePolicyDto,
  OrgQuery,
  SoftwarePoliciesAnswer,
  SoftwarePolicyAnswer,
  SuccessAnswer,
  UpdateSoftwarePolicyDto,
} from '@gatehouse/contracts-pam';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ListSoftwarePolicies } from './list-software-policies.ts';
import { SaveSoftwarePolicy } from './save-software-policy.ts';

@ApiTags('Software policies')
@Controller('pam/software-policies')
export class SoftwarePoliciesController {
  constructor(
    private readonly listSoftwarePolicies: ListSoftwarePolicies,
    private readonly saveSoftwarePolicy: SaveSoftwarePolicy,
  ) {}

  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: SoftwarePoliciesAnswer })
  async list(@CurrentCaller() caller: UserCaller, @Query() { orgId }: OrgQuery): Promise<SoftwarePoliciesAnswer> {
    return { success: true, softwarePolicies: await this.listSoftwarePolicies.execute(caller, orgId) };
  }

  @Get(':id')
  @Requires('devices:read')
  @ApiOkResponse({ type: SoftwarePolicyAnswer })
  @Refuses('software_policy_not_found')
  async read(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SoftwarePolicyAnswer> {
    return { success: true, softwarePolicy: await this.listSoftwarePolicies.one(caller, id) };
  }

  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.create' })
  @ApiCreatedResponse({ type: SoftwarePolicyAnswer })
  @Refuses('target_not_found', 'partner_access_denied', 'site_access_denied', 'organization_frozen', 'conflict')
  async create(
    @CurrentCaller() caller: UserCaller,
    @Body() draft: CreateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyAnswer> {
    return { success: true, softwarePolicy: await this.saveSoftwarePolicy.create(caller, draft) };
  }

  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.update' })
  @ApiOkResponse({ type: SoftwarePolicyAnswer })
  @Refuses(
    'no_updates_provided',
    'target_not_found',
    'partner_access_denied',
    'site_access_denied',
    'software_policy_not_found',
    'organization_frozen',
    'conflict',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyAnswer> {
    return { success: true, softwarePolicy: await this.saveSoftwarePolicy.update(caller, id, patch) };
  }

  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.delete' })
  @ApiOkResponse({ type: SuccessAnswer })
  @Refuses('partner_access_denied', 'site_access_denied', 'software_policy_not_found', 'organization_frozen')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessAnswer> {
    await this.saveSoftwarePolicy.delete(caller, id);
    return { success: true };
  }
}
