import { ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { AssignPolicyDto, PolicyAssignmentRecord, PolicyLevel } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, scoped, type ScopeColumns, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../../rows/assignments.ts';
import { requireWritable } from '../../scope/organizations-in-reach.repository.ts';
import { requirePartnerWide } from '../../scope/owner.ts';
import { type ConfigurationPolicyRow, findPolicy, policyNotFound } from '../configuration-policy.view.ts';

interface Target {
  readonly partnerId: string;
  readonly orgId: string | null;
}

const COLUMNS = 'id, policy_id, level, target_id, created_at';
const INSERT = `
  INSERT INTO configuration_policy_assignments (id, policy_id, partner_id, org_id, level, site_id, group_id, device_id)
  VALUES ($1, $2, $3, $4, $5, CASE WHEN $5 = 'site' THEN $6::uuid END, CASE WHEN $5 = 'group' THEN $6::uuid END, CASE WHEN $5 = 'device' THEN $6::uuid END)
  ON CONFLICT ON CONSTRAINT assignment_once_per_target DO UPDATE SET created_at = now() RETURNING ${COLUMNS}`;

/**
 * For each level below the partner: the table that holds the target, and the part of the caller's reach that applies.
 */
const TARGETS: Readonly<
  Record<
    Exclude<PolicyLevel, 'partner'>,
    { readonly table: string; readonly org: string; readonly scope: ScopeColumns; readonly wholeOrganization: boolean }
  >
> = {
  organization: {
    table: 'organizations',
    org: 'id',
    scope: { partner: 'partner_id', org: 'id' },
    wholeOrganization: true,
  },
  site: {
    table: 'sites',
    org: 'org_id',
    scope: { partner: 'partner_id', org: 'org_id', site: 'id' },
    wholeOrganization: false,
  },
  group: {
    table: 'device_groups',
    org: 'org_id',
    scope: { partner: 'partner_id', org: 'org_id' },
    wholeOrganization: true,
  },
  device: {
    table: 'devices',
    org: 'org_id',
    scope: { partner: 'partner_id', org: 'org_id', site: 'site_id' },
    wholeOrganization: false,
  },
};

const assignmentNotFound = (): ProblemError => new ProblemError('assignment_not_found', 'Assignment not found.');
const targetNotFound = (): ProblemError =>
  new ProblemError('target_not_found', 'There is no such target within the reach of this policy.');
const justGone = onConstraint({
  configuration_policy_assignments_policy_id_fkey: policyNotFound,
  configuration_policy_assignments_site_id_fkey: targetNotFound,
  configuration_policy_assignments_group_id_fkey: targetNotFound,
  configuration_policy_assignments_device_id_fkey: targetNotFound,
});

@Injectable()
export class AssignConfigurationPolicy {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Assigning a policy again makes the assignment the newest one; among equals the newest wins.
   * @throws ProblemError configuration_policy_not_found, target_not_found, scope_denied, organization_frozen,
   * site_access_denied
   */
  execute(caller: UserCaller, policyId: string, { level, targetId }: AssignPolicyDto): Promise<PolicyAssignmentRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const policy = await findPolicy(tx, caller, policyId);
      const { partnerId, orgId } = await this.requireTarget(tx, caller, policy, { level, targetId });
      const assignment = returned(
        await tx
          .one<PolicyAssignmentRecord>(INSERT, [newId(), policyId, partnerId, orgId, level, targetId])
          .catch(justGone),
      );
      tx.audit({
        action: 'configuration_policy.assign',
        partnerId,
        orgId,
        resource: { type: 'configuration_policy', id: policyId, name: policy.name },
        details: { level, targetId },
      });
      return assignment;
    });
  }

  /**
   * @throws ProblemError configuration_policy_not_found, assignment_not_found, scope_denied, organization_frozen,
   * site_access_denied
   */
  async remove(caller: UserCaller, policyId: string, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const policy = await findPolicy(tx, caller, policyId);
      const assignment = policy.assignments.find((each) => each.id === id);
      if (!assignment) throw assignmentNotFound();
      const { level, targetId } = assignment;
      const { partnerId, orgId } = await this.requireTarget(tx, caller, policy, { level, targetId });
      if (
        !(await tx.one('DELETE FROM configuration_policy_assignments WHERE id = $1 AND policy_id = $2 RETURNING id', [
          id,
          policyId,
        ]))
      )
        throw assignmentNotFound();
      tx.audit({
        action: 'configuration_policy.unassign',
        partnerId,
        orgId,
        resource: { type: 'configuration_policy', id: policyId, name: policy.name },
        details: { level, targetId },
      });
    });
  }

  private async requireTarget(
    tx: Tx,
    caller: UserCaller,
    policy: ConfigurationPolicyRow,
    { level, targetId }: AssignPolicyDto,
  ): Promise<Target> {
    if (level === 'partner') {
      requirePartnerWide(caller);
      if (targetId !== policy.partnerId || policy.orgId !== null) throw targetNotFound();
      return { partnerId: policy.partnerId, orgId: null };
    }
    const { table, org, scope, wholeOrganization } = TARGETS[level];
    const { where, parameters } = scoped(caller.scope, scope)
      .add('id = ?', targetId)
      .add('partner_id = ?', policy.partnerId);
    const target = await tx.one<{ orgId: string }>(`SELECT ${org} AS org_id FROM ${table} ${where}`, parameters);
    if (!target || (policy.orgId !== null && policy.orgId !== target.orgId)) throw targetNotFound();
    if (wholeOrganization) requireWholeOrganization(caller);
    await requireWritable(tx, caller, target.orgId);
    return { partnerId: policy.partnerId, orgId: target.orgId };
  }
}
