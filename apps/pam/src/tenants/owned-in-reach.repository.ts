import type { TenantScope } from '@gatehouse/contracts-core';
import { Conditions } from '@gatehouse/database';

/** Rows of the organisations in reach and of the whole partner, which every caller of the partner may see. */
export function ownedInReach({ partner, orgs }: TenantScope): Conditions {
  const conditions = new Conditions();
  if (partner === null) return conditions.raw('FALSE');
  if (partner !== 'all') conditions.add('partner_id = ?::uuid', partner);
  if (orgs !== 'all') conditions.add('(org_id IS NULL OR org_id = ANY (?::uuid[]))', [...orgs]);
  return conditions;
}
