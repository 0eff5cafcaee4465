import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  PolicyFeaturesDto,
  PolicyLevel,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments } from '../scope/assignments.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { listedInReach, oneInReach, ownedInReach, type Owner, requireOwned } from '../scope/owner.ts';

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

const ASSIGNMENT = `'id', a.id, 'policyId', a.policy_id, 'level', a.level, 'targetId', a.target_id, 'createdAt', a.created_at`;
/** Statements alias the policy table as `p`. Row security excludes assignments to organisations outside the reach. */
const COLUMNS = `p.id, p.org_id, CASE WHEN p.org_id IS NULL THEN 'partner' ELSE 'organization'
  END AS owner_scope, p.name, p.features, p.version, p.created_at, p.updated_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object(${ASSIGNMENT}) ORDER BY a.created_at, a.id)
  FROM configuration_policy_assignments a WHERE a.policy_id = p.id), '[]') AS assignments`;

/** The members of the answer, and the partner for the audit record. */
export type ConfigurationPolicyRow = ConfigurationPolicyResponse & Pick<ConfigurationPolicyEntity, 'partnerId'>;

export const policyNotFound = (): ProblemError =>
  new ProblemError('configuration_policy_not_found', 'Configuration policy not found.');

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

  get(reader: Reader, caller: UserCaller, id: string): Promise<ConfigurationPolicyRow> {
    return find(reader, caller, id, '');
  }

  /** Returns a policy that the caller may change; no other transaction changes it until this one ends. */
  async getWritable(tx: Tx, caller: UserCaller, id: string): Promise<ConfigurationPolicyRow> {
    const { orgId } = await this.get(tx, caller, id);
    await requireOwned(tx, caller, orgId);
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

async function find(reader: Reader, caller: UserCaller, id: string, lock: string): Promise<ConfigurationPolicyRow> {
  const { where, parameters } = oneInReach(caller, id, 'p.');
  const policy = await reader.one<ConfigurationPolicyRow>(
    `SELECT ${COLUMNS}, p.partner_id FROM configuration_policies p ${where} ${lock}`,
    parameters,
  );
  if (!policy) throw policyNotFound();
  return policy;
}
