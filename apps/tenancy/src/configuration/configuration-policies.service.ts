import {
  type AuthorityAction,
  type Changes,
  changeDetails,
  changesOf,
  type Page,
  partUpdates,
  ProblemError,
  requireSame,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  AssignPolicyDto,
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  EffectiveConfigurationResponse,
  PolicyAssignmentRecord,
  UpdateConfigurationPolicyDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../devices/devices.repository.ts';
import { requireOwner } from '../scope/owner.ts';
import {
  ConfigurationPoliciesRepository,
  effectiveConfiguration,
  PolicyAssignmentsRepository,
} from './configuration-policies.repository.ts';

const POLICY_FIELDS = ['name', 'ownerScope', 'orgId', 'features'];
const TARGET_FIELDS = ['level', 'targetId'];

function auditPolicyChange(
  tx: Tx,
  action: AuthorityAction,
  { id, name, partnerId, orgId }: Pick<ConfigurationPolicyResponse, 'id' | 'name' | 'partnerId' | 'orgId'>,
  details: { readonly changes: Changes; readonly [fact: string]: unknown },
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'configuration_policy', id, name }, details });
}

@Injectable()
export class ConfigurationPoliciesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  list(caller: UserCaller, query: ConfigurationPolicyQuery): Promise<Page<ConfigurationPolicyResponse>> {
    return this.work.read(caller, (reader) => this.configurationPoliciesRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    return this.work.read(caller, (reader) => this.configurationPoliciesRepository.get(reader, caller, id));
  }

  create(caller: UserCaller, draft: CreateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.configurationPoliciesRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      const policy = await this.configurationPoliciesRepository.get(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.create', policy, { changes: changesOf(null, policy, POLICY_FIELDS) });
      return policy;
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    const { updates, named } = partUpdates(patch, ['ownerScope', 'orgId', 'partnerId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.configurationPoliciesRepository.getWritable(tx, caller, id);
      requireVersion(caller, known.version);
      requireSame(named, known);
      await this.configurationPoliciesRepository.update(tx, caller, id, updates);
      const policy = await this.configurationPoliciesRepository.get(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.update', policy, changeDetails(known, policy, updates));
      return policy;
    });
  }

  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const policy = await this.configurationPoliciesRepository.getWritable(tx, caller, id);
      requireVersion(caller, policy.version);
      await this.configurationPoliciesRepository.delete(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.delete', policy, {
        changes: changesOf(policy, null, [...POLICY_FIELDS, 'assignments']),
      });
    });
  }
}

const assignmentNotFound = (): ProblemError => new ProblemError('assignment_not_found', 'There is no such assignment.');

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
      auditPolicyChange(
        tx,
        'configuration_policy.assign',
        { id: policyId, name: policy.name, ...tenant },
        { ...target, changes: changesOf(null, target, TARGET_FIELDS) },
      );
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
      auditPolicyChange(
        tx,
        'configuration_policy.unassign',
        { id: policyId, name: policy.name, ...tenant },
        { ...target, changes: changesOf(target, null, TARGET_FIELDS) },
      );
    });
  }
}

@Injectable()
export class ConfigurationPolicyEffectiveService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  getEffectiveConfiguration(caller: UserCaller, deviceId: string): Promise<EffectiveConfigurationResponse> {
    return this.work.read(caller, async (reader) => {
      await this.devicesRepository.requireReadable(reader, caller, deviceId);
      return effectiveConfiguration(reader, deviceId);
    });
  }
}
