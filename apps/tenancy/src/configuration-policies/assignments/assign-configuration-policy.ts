import type { UserCaller } from '@gatehouse/contracts-core';
import type { AssignPolicyDto, PolicyAssignmentRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditPolicyChange } from '../audit-policy-change.ts';
import { ConfigurationPoliciesRepository } from '../configuration-policies.repository.ts';
import { PolicyAssignmentsRepository } from './policy-assignments.repository.ts';

@Injectable()
export class AssignConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
    private readonly policyAssignmentsRepository: PolicyAssignmentsRepository,
  ) {}

  /**
   * Assigning a policy again makes the assignment the newest one; among equals the newest wins.
   * @throws ProblemError configuration_policy_not_found, target_not_found, scope_denied, organization_frozen,
   * site_access_denied
   */
  execute(caller: UserCaller, policyId: string, { level, targetId }: AssignPolicyDto): Promise<PolicyAssignmentRecord> {
    const target = { level, targetId };
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const policy = await this.configurationPoliciesRepository.get(tx, caller, policyId);
      const tenant = await this.policyAssignmentsRepository.getWritableTarget(tx, caller, policy, target);
      const assignment = await this.policyAssignmentsRepository.upsert(tx, policyId, tenant, target);
      auditPolicyChange(tx, 'configuration_policy.assign', { id: policyId, name: policy.name, ...tenant }, target);
      return assignment;
    });
  }
}
