import { type PrincipalsChange, PrincipalsChanged } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';

/** Ids of one fact: some 200 KB, where the broker takes a megabyte. */
const MAX_IDS_PER_EVENT = 5_000;

/** Says that what these ids stand for has changed, so that nobody goes by what they stood for before. */
export function publishPrincipalsChanged(
  tx: Tx,
  aggregateId: string,
  kind: keyof PrincipalsChange,
  ids: readonly string[],
): void {
  for (let at = 0; at < ids.length; at += MAX_IDS_PER_EVENT) {
    tx.emit(
      PrincipalsChanged,
      { sessionIds: [], userIds: [], apiKeyIds: [], [kind]: ids.slice(at, at + MAX_IDS_PER_EVENT) },
      { aggregateId },
    );
  }
}
