import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  AssignPolicyDto,
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  EffectiveConfigurationResponse,
  PolicyAssignmentRecord,
  SuccessResponse,
  UpdateConfigurationPolicyDto,
} from '@gatehouse/contracts-tenancy';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPaged } from '../scope/api-paged.ts';
import {
  ConfigurationPoliciesService,
  ConfigurationPolicyAssignmentsService,
  ConfigurationPolicyEffectiveService,
} from './configuration-policies.service.ts';
import { OWNED_PROBLEMS, OWNER_PROBLEMS } from '../scope/owner.ts';

const versionOf = ({ data }: { readonly data: ConfigurationPolicyResponse }): number => data.version;

@Controller('configuration-policies')
@ApiTags('configuration policies')
export class ConfigurationPoliciesController {
  constructor(private readonly configurationPolicies: ConfigurationPoliciesService) {}

  /** Lists the configuration policies in the caller's reach. */
  @Get()
  @Requires('devices:read')
  @ApiPaged(ConfigurationPolicyResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ConfigurationPolicyQuery) {
    return paged(query, await this.configurationPolicies.list(caller, query));
  }

  /** Creates a configuration policy. It has no effect until it is assigned. */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'configuration_policy.create' })
  @AnswersEtag(versionOf)
  @ApiData(ConfigurationPolicyResponse, 201, WITH_ETAG)
  @ApiProblems(...OWNER_PROBLEMS)
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateConfigurationPolicyDto) {
    return { data: await this.configurationPolicies.create(caller, draft) };
  }

  /** Reads a configuration policy with its assignments. */
  @Get(':id')
  @Requires('devices:read')
  @AnswersEtag(versionOf)
  @ApiData(ConfigurationPolicyResponse, 200, WITH_ETAG)
  @ApiProblems('configuration_policy_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.configurationPolicies.get(caller, id) };
  }

  /** Changes a configuration policy. It takes effect on all devices to which it is assigned. */
  @Patch(':id')
  @Requires('devices:write', { mfa: true, audit: 'configuration_policy.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiData(ConfigurationPolicyResponse, 200, WITH_ETAG)
  @ApiProblems(...OWNED_PROBLEMS, 'no_updates_provided', 'configuration_policy_not_found', 'version_conflict')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateConfigurationPolicyDto,
  ) {
    return { data: await this.configurationPolicies.update(caller, id, patch) };
  }

  /** Deletes a configuration policy with its assignments. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'configuration_policy.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...OWNED_PROBLEMS, 'configuration_policy_not_found', 'version_conflict')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.configurationPolicies.delete(caller, id);
    return { success: true };
  }
}

@Controller('configuration-policies/:id/assignments')
@ApiTags('configuration policies')
export class PolicyAssignmentsController {
  constructor(private readonly configurationPolicyAssignments: ConfigurationPolicyAssignmentsService) {}

  /**
   * Assigns a configuration policy to a partner, an organisation, a site, a group or a device. The closest assignment
   * wins.
   */
  @Post()
  @Requires('devices:write', { mfa: true, audit: 'configuration_policy.assign' })
  @ApiData(PolicyAssignmentRecord, 201)
  @ApiProblems(...OWNED_PROBLEMS, 'target_not_found', 'configuration_policy_not_found')
  async assign(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() target: AssignPolicyDto,
  ) {
    return { data: await this.configurationPolicyAssignments.assignConfigurationPolicy(caller, id, target) };
  }

  /** Removes an assignment of a configuration policy. */
  @Delete(':assignmentId')
  @HttpCode(200)
  @Requires('devices:write', { mfa: true, audit: 'configuration_policy.unassign' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...OWNED_PROBLEMS, 'configuration_policy_not_found', 'assignment_not_found', 'target_not_found')
  async unassign(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Param('assignmentId', UuidParam) assignmentId: string,
  ): Promise<SuccessResponse> {
    await this.configurationPolicyAssignments.unassignConfigurationPolicy(caller, id, assignmentId);
    return { success: true };
  }
}

@Controller('devices/:id/effective-configuration')
@ApiTags('devices')
export class EffectiveConfigurationController {
  constructor(private readonly configurationPolicyEffective: ConfigurationPolicyEffectiveService) {}

  /** Reads the settings in effect for a device, each with the policy that decided it. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: EffectiveConfigurationResponse })
  @ApiProblems('device_not_found')
  get(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<EffectiveConfigurationResponse> {
    return this.configurationPolicyEffective.getEffectiveConfiguration(caller, id);
  }
}
