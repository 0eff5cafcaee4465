import { ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { countOwned, type RulebookOwner, type RulebookTable } from './rulebook-versions.repository.ts';

/** Limits on the size of a rulebook: each report is compared with all of it, and each change loads all of it. */
const LIMITS = {
  pam_rules: { most: 5000, name: 'rules' },
  signer_groups: { most: 500, name: 'signer groups' },
  software_policies: { most: 500, name: 'software policies' },
} as const;

/** Each of the partner's organisations has the partner's rules in its rulebook. */
const MAX_PARTNER_RULES = 1000;

/** Refuses a change by which the rulebook exceeds its limits. Call it after bumpRulebook, which serialises changes. */
export async function requireRulebookCapacity(tx: Tx, table: RulebookTable, owner: RulebookOwner): Promise<void> {
  const { most: mostOfAll, name } = LIMITS[table];
  const most = table === 'pam_rules' && owner.orgId === null ? MAX_PARTNER_RULES : mostOfAll;
  if ((await countOwned(tx, table, owner)) > most)
    throw new ProblemError('conflict', `There are already ${most} ${name}, which is the limit; delete one first.`);
}
