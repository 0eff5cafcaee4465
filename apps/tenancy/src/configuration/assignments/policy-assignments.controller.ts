import type { UserCaller } from '@gatehouse/contracts-core';
import { AssignPolicyDto, PolicyAssignmentRecord, SuccessResponse } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData } from '../../scope/api-paged.ts';
import { ConfigurationPolicyAssignmentsService } from './configuration-policy-assignments.service.ts';

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
  @ApiProblems(
    'target_not_found',
    'scope_denied',
    'site_access_denied',
    'configuration_policy_not_found',
    'organization_frozen',
    'organization_not_found',
  )
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
  @ApiProblems(
    'scope_denied',
    'site_access_denied',
    'configuration_policy_not_found',
    'assignment_not_found',
    'organization_frozen',
    'organization_not_found',
  )
  async unassign(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Param('assignmentId', UuidParam) assignmentId: string,
  ): Promise<SuccessResponse> {
    await this.configurationPolicyAssignments.unassignConfigurationPolicy(caller, id, assignmentId);
    return { success: true };
  }
}
