import { ProblemError } from '@gatehouse/contracts-core';
import { Conditions, type Tx } from '@gatehouse/database';
import type { RulebookOwner } from './rulebook-versions.ts';

/**
 * Each report of an organisation is held against all that its rulebook holds, and all of it is read when it changes.
 */
const MOST = {
  pam_rules: { count: 5000, name: 'rules' },
  signer_groups: { count: 500, name: 'signer groups' },
  software_policies: { count: 500, name: 'software policies' },
} as const;

/**
 * Refuses what was added to a rulebook beyond its room. Call it after bumpRulebook, which lets in one change at a time.
 * @throws ProblemError conflict
 */
export async function requireRoom(
  tx: Tx,
  table: keyof typeof MOST,
  { partnerId, orgId }: RulebookOwner,
): Promise<void> {
  const owned = new Conditions().add('partner_id = ?', partnerId);
  if (orgId === null) owned.raw('org_id IS NULL');
  else owned.add('org_id = ?', orgId);
  const held = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} ${owned.where}`,
    owned.parameters,
  );
  const { count, name } = MOST[table];
  if ((held?.count ?? 0) > count)
    throw new ProblemError(
      'conflict',
      `There are ${count} ${name} already, the most that there may be; delete one first.`,
    );
}
