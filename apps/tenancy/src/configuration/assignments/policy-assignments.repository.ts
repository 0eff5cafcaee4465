import { ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { AssignPolicyDto, PolicyAssignmentRecord, PolicyLevel } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, scoped, type ScopeColumns, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../../scope/assignments.ts';
import { requireWritable } from '../../scope/organizations-in-reach.repository.ts';
import { requirePartnerWide } from '../../scope/owner.ts';
import { type ConfigurationPolicyRow, policyNotFound } from '../configuration-policies.repository.ts';

/** The tenant of an assignment's target; the organisation is null if the target is the partner. */
export interface TargetTenant {
  readonly partnerId: string;
  readonly orgId: string | null;
}

const INSERT = `
  INSERT INTO configuration_policy_assignments (id, policy_id, partner_id, org_id, level, site_id, group_id, device_id)
  VALUES ($1, $2, $3, $4, $5, CASE WHEN $5 = 'site' THEN $6::uuid END, CASE WHEN $5 = 'group' THEN $6::uuid END, CASE
    WHEN $5 = 'device' THEN $6::uuid END)
  ON CONFLICT ON CONSTRAINT assignment_once_per_target DO UPDATE SET created_at = now()
    RETURNING id, policy_id, level, target_id, created_at`;
const DELETE = 'DELETE FROM configuration_policy_assignments WHERE id = $1 AND policy_id = $2 RETURNING id';

/** A level below the partner: the table that holds the target, and the part of the caller's reach that applies. */
interface TargetTable {
  readonly table: string;
  readonly org: string;
  readonly scope: ScopeColumns;
  readonly wholeOrganization: boolean;
}

const TARGETS: Readonly<Record<Exclude<PolicyLevel, 'partner'>, TargetTable>> = {
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

const targetNotFound = (): ProblemError =>
  new ProblemError('target_not_found', 'There is no such target within the reach of this policy.');

/** A concurrent request deleted the policy or the target. */
const deletedConcurrently = onConstraint({
  configuration_policy_assignments_policy_id_fkey: policyNotFound,
  configuration_policy_assignments_site_id_fkey: targetNotFound,
  configuration_policy_assignments_group_id_fkey: targetNotFound,
  configuration_policy_assignments_device_id_fkey: targetNotFound,
});

@Injectable()
export class PolicyAssignmentsRepository {
  /** Returns the tenant of a target, if the policy can be assigned to it and the caller may write there. */
  async getWritableTarget(
    tx: Tx,
    caller: UserCaller,
    policy: ConfigurationPolicyRow,
    { level, targetId }: AssignPolicyDto,
  ): Promise<TargetTenant> {
    const { partnerId } = policy;
    if (level === 'partner') {
      requirePartnerWide(caller);
      if (targetId !== partnerId || policy.orgId !== null) throw targetNotFound();
      return { partnerId, orgId: null };
    }
    const { table, org, scope, wholeOrganization } = TARGETS[level];
    const { where, parameters } = scoped(caller.scope, scope).add('id = ?', targetId).add('partner_id = ?', partnerId);
    const target = await tx.one<{ orgId: string }>(`SELECT ${org} AS org_id FROM ${table} ${where}`, parameters);
    if (!target || (policy.orgId !== null && policy.orgId !== target.orgId)) throw targetNotFound();
    if (wholeOrganization) requireWholeOrganization(caller);
    await requireWritable(tx, caller, target.orgId);
    return { partnerId, orgId: target.orgId };
  }

  async upsert(
    tx: Tx,
    policyId: string,
    { partnerId, orgId }: TargetTenant,
    { level, targetId }: AssignPolicyDto,
  ): Promise<PolicyAssignmentRecord> {
    const assignment = await tx
      .one<PolicyAssignmentRecord>(INSERT, [newId(), policyId, partnerId, orgId, level, targetId])
      .catch(deletedConcurrently);
    return returned(assignment);
  }

  /** @returns whether the policy had the assignment */
  async delete(tx: Tx, policyId: string, id: string): Promise<boolean> {
    return (await tx.one(DELETE, [id, policyId])) !== null;
  }
}
