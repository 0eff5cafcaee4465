import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { AssignPolicyDto, PolicyAssignmentRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditPolicyChange } from '../configuration-policies.service.ts';
import { ConfigurationPoliciesRepository } from '../configuration-policies.repository.ts';
import { PolicyAssignmentsRepository } from './policy-assignments.repository.ts';

const assignmentNotFound = (): ProblemError => new ProblemError('assignment_not_found', 'Assignment not found.');

@Injectable()
export class ConfigurationPolicyAssignmentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
    private readonly policyAssignmentsRepository: PolicyAssignmentsRepository,
  ) {}

  /** Assigning a policy again makes the assignment the newest one; among equals the newest wins. */
  assignConfigurationPolicy(
    caller: UserCaller,
    policyId: string,
    { level, targetId }: AssignPolicyDto,
  ): Promise<PolicyAssignmentRecord> {
    const target = { level, targetId };
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const policy = await this.configurationPoliciesRepository.get(tx, caller, policyId);
      const tenant = await this.policyAssignmentsRepository.getWritableTarget(tx, caller, policy, target);
      const assignment = await this.policyAssignmentsRepository.upsert(tx, policyId, tenant, target);
      auditPolicyChange(tx, 'configuration_policy.assign', { id: policyId, name: policy.name, ...tenant }, target);
      return assignment;
    });
  }

  async unassignConfigurationPolicy(caller: UserCaller, policyId: string, id: string): Promise<void> {
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
