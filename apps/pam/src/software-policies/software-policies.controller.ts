import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateSoftwarePolicyDto,
  OrgListQuery,
  SoftwarePoliciesResponse,
  SoftwarePolicyResponse,
  SuccessResponse,
  UpdateSoftwarePolicyDto,
} from '@gatehouse/contracts-pam';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SoftwarePoliciesService } from './software-policies.service.ts';
import { CHANGE_PROBLEMS } from '../tenants/owners.ts';

const versionOf = ({ softwarePolicy }: SoftwarePolicyResponse): number => softwarePolicy.version;

@ApiTags('Software policies')
@Controller('pam/software-policies')
export class SoftwarePoliciesController {
  constructor(private readonly softwarePolicies: SoftwarePoliciesService) {}

  /** Lists the software policies in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: SoftwarePoliciesResponse })
  list(@CurrentCaller() caller: UserCaller, @Query() query: OrgListQuery): Promise<SoftwarePoliciesResponse> {
    return this.softwarePolicies.list(caller, query);
  }

  /** Reads a software policy. */
  @Get(':id')
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: SoftwarePolicyResponse, ...WITH_ETAG })
  @ApiProblems('software_policy_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SoftwarePolicyResponse> {
    return { success: true, softwarePolicy: await this.softwarePolicies.get(caller, id) };
  }

  /** Creates a software policy for a partner, an organisation, a site, a group or a device. The closest target wins. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: SoftwarePolicyResponse, ...WITH_ETAG })
  @ApiProblems(...CHANGE_PROBLEMS, 'target_not_found', 'pam_rule_risky', 'conflict')
  async create(
    @CurrentCaller() caller: UserCaller,
    @Body() draft: CreateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyResponse> {
    return { success: true, softwarePolicy: await this.softwarePolicies.create(caller, draft) };
  }

  /** Changes a software policy. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: SoftwarePolicyResponse, ...WITH_ETAG })
  @ApiProblems(
    ...CHANGE_PROBLEMS,
    'no_updates_provided',
    'target_not_found',
    'software_policy_not_found',
    'pam_rule_risky',
    'conflict',
    'version_conflict',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyResponse> {
    return { success: true, softwarePolicy: await this.softwarePolicies.update(caller, id, patch) };
  }

  /** Deletes a software policy. */
  @Delete(':id')
  @Requires('devices:write', { mfa: true, audit: 'pam.software_policy.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...CHANGE_PROBLEMS, 'software_policy_not_found', 'version_conflict')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.softwarePolicies.delete(caller, id);
    return { success: true };
  }
}
