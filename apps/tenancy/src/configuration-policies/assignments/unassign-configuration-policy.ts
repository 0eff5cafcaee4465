import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditPolicyChange } from '../audit-policy-change.ts';
import { ConfigurationPoliciesRepository } from '../configuration-policies.repository.ts';
import { PolicyAssignmentsRepository } from './policy-assignments.repository.ts';

const assignmentNotFound = (): ProblemError => new ProblemError('assignment_not_found', 'Assignment not found.');

@Injectable()
export class UnassignConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
    private readonly policyAssignmentsRepository: PolicyAssignmentsRepository,
  ) {}

  /**
   * @throws ProblemError configuration_policy_not_found, assignment_not_found, scope_denied, organization_frozen,
   * site_access_denied
   */
  async execute(caller: UserCaller, policyId: string, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const policy = await this.configurationPoliciesRepository.get(tx, caller, policyId);
      const assignment = policy.assignments.find((each) => each.id === id);
      if (!assignment) throw assignmentNotFound();
      const target = { level: assignment.level, targetId: assignment.targetId };
      const tenant = await this.policyAssignmentsRepository.getWritableTarget(tx, caller, policy, target);
      if (!(await this.policyAssignmentsRepository.delete(tx, policyId, id))) throw assignmentNotFound();
      auditPolicyChange(tx, 'configuration_policy.unassign', { id: policyId, name: policy.name, ...tenant }, target);
    });
  }
}
