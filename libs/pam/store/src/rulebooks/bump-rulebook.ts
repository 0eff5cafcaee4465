import { RulebookChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { beginVersions, type ChangedParts, rememberParts } from './rulebook-memory.repository.ts';
import { incrementVersions, type RulebookOwner, type RulebookVersion } from './rulebook-versions.repository.ts';

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
