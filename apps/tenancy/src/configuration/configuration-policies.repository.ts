import { type Page, ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type {
  AssignPolicyDto,
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  EffectiveConfigurationResponse,
  PolicyAssignmentRecord,
  PolicyFeaturesDto,
  PolicyLevel,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Reader, type ScopeColumns, scoped, type Tx } from '@gatehouse/database';
import { effectiveConfiguration as decide, type ReachingPolicy } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, returned } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { listedInReach, oneInReach, ownedInReach, type Owner, requireOwned, requirePartner } from '../scope/owner.ts';

/** Settings of agents, which apply to the devices below the policy's assignments. */
@Entity('configuration_policies')
export class ConfigurationPolicyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the policy belongs to the whole partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) features!: PolicyFeaturesDto;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const TARGET_ID =
  "\nCASE level\n    WHEN 'partner'::text THEN partner_id\n    WHEN 'organization'::text THEN org_id\n    WHEN 'site'::text THEN site_id\n    WHEN 'group'::text THEN group_id\n    WHEN 'device'::text THEN device_id\n    ELSE NULL::uuid\nEND";

/** The assignment of a configuration policy to one target. */
@Entity('configuration_policy_assignments')
export class ConfigurationPolicyAssignmentEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') policyId!: string;
  @Column('uuid') partnerId!: string;
  /** The organisation of the target; null if the target is the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') level!: PolicyLevel;
  /** Set only for the level `site`; likewise the next two columns for theirs. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('uuid', { nullable: true }) groupId!: string | null;
  @Column('uuid', { nullable: true }) deviceId!: string | null;
  /** The id of the target, whatever its level. */
  @Column({ type: 'uuid', generatedType: 'STORED', asExpression: TARGET_ID }) targetId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

// JSON of PostgreSQL would show the time with microseconds and an offset.
const CREATED_AT = `to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const ASSIGNMENT = `'id', a.id, 'policyId', a.policy_id, 'level', a.level, 'targetId', a.target_id,
  'createdAt', ${CREATED_AT}`;
/** Statements alias the policy table as `p`. Row security excludes assignments to organisations outside the reach. */
const COLUMNS = `p.id, p.partner_id, p.org_id, CASE WHEN p.org_id IS NULL THEN 'partner' ELSE 'organization'
  END AS owner_scope, p.name, p.features, p.version, p.created_at, p.updated_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object(${ASSIGNMENT}) ORDER BY a.created_at, a.id)
  FROM configuration_policy_assignments a WHERE a.policy_id = p.id), '[]') AS assignments`;

const policyNotFound = (): ProblemError =>
  new ProblemError('configuration_policy_not_found', 'There is no such configuration policy.');

@Injectable()
export class ConfigurationPoliciesRepository {
  list(
    reader: Reader,
    caller: UserCaller,
    query: ConfigurationPolicyQuery,
  ): Promise<Page<ConfigurationPolicyResponse>> {
    return listPage<ConfigurationPolicyResponse>(reader, query, {
      columns: COLUMNS,
      from: 'configuration_policies p',
      conditions: listedInReach(caller, 'p.').add('p.org_id = ?', query.orgId),
      order: ['p.name', 'p.id'],
    });
  }

  get(reader: Reader, caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    return find(reader, caller, id, '');
  }

  /** Returns a policy that the caller may change; no other transaction changes it until this one ends. */
  async getWritable(tx: Tx, caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    await requireOwned(tx, caller, await this.get(tx, caller, id));
    return find(tx, caller, id, 'FOR NO KEY UPDATE OF p');
  }

  /** @returns the id */
  async insert(tx: Tx, owner: Owner, { name, features }: CreateConfigurationPolicyDto): Promise<string> {
    const id = newId();
    await tx.manager.insert(ConfigurationPolicyEntity, { id, ...owner, name, features: { ...features } });
    return id;
  }

  async update(tx: Tx, caller: UserCaller, id: string, updates: Partial<ConfigurationPolicyEntity>): Promise<void> {
    const conditions = ownedInReach(caller).add('id = ?', id);
    const set = assignments(updates, conditions);
    await tx.query(`UPDATE configuration_policies SET ${set} ${conditions.where}`, conditions.parameters);
  }

  async delete(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = ownedInReach(caller).add('id = ?', id);
    if (!(await tx.one(`DELETE FROM configuration_policies ${where} RETURNING id`, parameters))) throw policyNotFound();
  }
}

async function find(
  reader: Reader,
  caller: UserCaller,
  id: string,
  lock: string,
): Promise<ConfigurationPolicyResponse> {
  const { where, parameters } = oneInReach(caller, id, 'p.');
  const policy = await reader.one<ConfigurationPolicyResponse>(
    `SELECT ${COLUMNS} FROM configuration_policies p ${where} ${lock}`,
    parameters,
  );
  if (!policy) throw policyNotFound();
  return policy;
}

/** The tenant of an assignment's target; the organisation is null if the target is the partner. */
interface TargetTenant {
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
  new ProblemError('target_not_found', 'There is no such target for this policy.');

@Injectable()
export class PolicyAssignmentsRepository {
  /**
   * Returns the tenant of a target, if the policy can be assigned to it and the caller may write there, and holds the
   * target where it is.
   */
  async getWritableTarget(
    tx: Tx,
    caller: UserCaller,
    policy: ConfigurationPolicyResponse,
    { level, targetId }: AssignPolicyDto,
  ): Promise<TargetTenant> {
    const { partnerId } = policy;
    if (level === 'partner') {
      if (targetId !== partnerId || policy.orgId !== null) throw targetNotFound();
      return requirePartner(tx, caller, partnerId);
    }
    const { table, org, scope, wholeOrganization } = TARGETS[level];
    const { where, parameters } = scoped(caller.scope, scope).add('id = ?', targetId).add('partner_id = ?', partnerId);
    const sql = `SELECT ${org} AS org_id FROM ${table} ${where}`;
    const target = await tx.one<{ orgId: string }>(sql, parameters);
    if (!target || (policy.orgId !== null && policy.orgId !== target.orgId)) throw targetNotFound();
    if (wholeOrganization) requireWholeOrganization(caller);
    await requireWritable(tx, caller, target.orgId);
    const held = await tx.one<{ orgId: string }>(`${sql} FOR KEY SHARE`, parameters);
    if (held?.orgId !== target.orgId) throw targetNotFound();
    return { partnerId, orgId: target.orgId };
  }

  async upsert(
    tx: Tx,
    policyId: string,
    { partnerId, orgId }: TargetTenant,
    { level, targetId }: AssignPolicyDto,
  ): Promise<PolicyAssignmentRecord> {
    const values = [newId(), policyId, partnerId, orgId, level, targetId];
    return returned(await tx.one<PolicyAssignmentRecord>(INSERT, values));
  }

  /** @returns whether the policy had the assignment */
  async delete(tx: Tx, policyId: string, id: string): Promise<boolean> {
    return (await tx.one(DELETE, [id, policyId])) !== null;
  }
}

const REACHING = `
  SELECT a.level, a.policy_id, p.features FROM devices d
    JOIN configuration_policy_assignments a ON a.target_id = ANY (ARRAY[d.id, d.site_id, d.org_id,
      d.partner_id] || ARRAY(SELECT m.group_id FROM device_group_members m WHERE m.device_id = d.id))
    JOIN configuration_policies p ON p.id = a.policy_id AND (p.org_id IS NULL OR p.org_id = d.org_id)
   WHERE d.id = $1 ORDER BY a.created_at DESC, a.id DESC`;

/** The configuration that now applies to a device. The reader's caller must be allowed to see the device. */
export const effectiveConfiguration = async (
  reader: Reader,
  deviceId: string,
): Promise<EffectiveConfigurationResponse> => decide(await reader.query<ReachingPolicy>(REACHING, [deviceId]));
