import { ProblemError } from '@gatehouse/contracts-core';
import { RulebookChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { beginVersions, type ChangedParts, rememberParts } from './rulebook-memory.repository.ts';
import {
  countOwned,
  incrementVersions,
  type RulebookOwner,
  type RulebookTable,
  type RulebookVersion,
} from './rulebook-versions.repository.ts';

/**
 * Increments the versions of the owners' rulebooks and remembers what changed. Call it in the transaction of every
 * change of a part, after the part was written; reports decided under the previous version are then decided again
 * (architecture, "hot path").
 * @param owners of one change: the former owner of a part that moves is among them, so that one instant ends and begins
 * its states
 */
export async function bumpRulebooks(
  tx: Tx,
  owners: readonly RulebookOwner[],
  changed: readonly ChangedParts[],
): Promise<void> {
  const versions: RulebookVersion[] = [];
  // A partner's lock is taken exclusively before it is taken shared.
  const partnersFirst = owners.toSorted((one, other) => Number(one.orgId !== null) - Number(other.orgId !== null));
  for (const owner of partnersFirst) versions.push(...(await incrementVersions(tx, owner)));
  const at = await beginVersions(tx, versions);
  for (const parts of changed) await rememberParts(tx, parts, at);
  for (const { orgId, partnerId, version } of versions)
    tx.emit(RulebookChanged, { orgId, partnerId, version }, { aggregateId: orgId });
}

/** {@link bumpRulebooks} for a change of one owner's parts of one kind. */
export const bumpRulebook = (tx: Tx, owner: RulebookOwner, changed: ChangedParts): Promise<void> =>
  bumpRulebooks(tx, [owner], [changed]);

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
