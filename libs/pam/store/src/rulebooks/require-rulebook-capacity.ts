import { ProblemError } from '@gatehouse/contracts-core';
import { Conditions, type Tx } from '@gatehouse/database';
import type { RulebookOwner } from './bump-rulebook.ts';

/** Limits on the size of a rulebook: each report is compared with all of it, and each change loads all of it. */
const MOST = {
  pam_rules: { count: 5000, name: 'rules' },
  signer_groups: { count: 500, name: 'signer groups' },
  software_policies: { count: 500, name: 'software policies' },
} as const;

/**
 * Rejects a change by which the rulebook exceeds its limits. Call it after bumpRulebook, which serialises changes.
 * @throws ProblemError conflict
 */
export async function requireRulebookCapacity(
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
