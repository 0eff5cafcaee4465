import { type PrincipalsChange, PrincipalsChanged } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';

/** About 200 KB in one event; the broker accepts one megabyte. */
const MAX_IDS_PER_EVENT = 5_000;

/** Publishes that the principals behind these ids have changed, so that caches of them are dropped. */
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
