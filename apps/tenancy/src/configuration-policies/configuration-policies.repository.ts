import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments } from '../rows/assignments.ts';
import { listPage } from '../rows/list-page.sql.ts';
import { listedInReach, oneInReach, ownedInReach, type Owner, requireOwned } from '../scope/owner.ts';
import { ConfigurationPolicyEntity } from './configuration-policy.entity.ts';

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

  /** @throws ProblemError configuration_policy_not_found */
  get(reader: Reader, caller: UserCaller, id: string): Promise<ConfigurationPolicyRow> {
    return find(reader, caller, id, '');
  }

  /**
   * Returns a policy that the caller may change; no other transaction changes it until this one ends.
   * @throws ProblemError configuration_policy_not_found, scope_denied, organization_frozen, site_access_denied
   */
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

  /** @throws ProblemError configuration_policy_not_found */
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
