import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyResponse } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { oneInReach } from '../scope/owner.ts';

const ASSIGNMENT_COLUMNS = `'id', a.id, 'policyId', a.policy_id, 'level', a.level, 'targetId', a.target_id, 'createdAt', a.created_at`;

/** Statements alias the policy table as `p`. Row security excludes assignments to organisations outside the reach. */
export const POLICY_COLUMNS = `p.id, p.org_id, CASE WHEN p.org_id IS NULL THEN 'partner' ELSE 'organization' END AS owner_scope, p.name, p.features, p.created_at, p.updated_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object(${ASSIGNMENT_COLUMNS}) ORDER BY a.created_at, a.id) FROM configuration_policy_assignments a WHERE a.policy_id = p.id), '[]') AS assignments`;

export interface ConfigurationPolicyRow extends ConfigurationPolicyResponse {
  readonly partnerId: string;
}

export const configurationPolicyView = ({
  partnerId: _,
  ...policy
}: ConfigurationPolicyRow): ConfigurationPolicyResponse => policy;

export const policyNotFound = (): ProblemError =>
  new ProblemError('configuration_policy_not_found', 'Configuration policy not found.');

/** @throws ProblemError configuration_policy_not_found */
export async function findPolicy(reader: Reader, caller: UserCaller, id: string): Promise<ConfigurationPolicyRow> {
  const { where, parameters } = oneInReach(caller, id, 'p.');
  const policy = await reader.one<ConfigurationPolicyRow>(
    `SELECT ${POLICY_COLUMNS}, p.partner_id FROM configuration_policies p ${where}`,
    parameters,
  );
  if (!policy) throw policyNotFound();
  return policy;
}
