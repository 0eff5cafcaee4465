import { type PrincipalsChange, PrincipalsChanged } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';

/** Ids of one fact: some 200 KB, where the broker takes a megabyte. */
const MOST = 5_000;

/** Says that what these ids stand for has changed, so that nobody goes by what they stood for before. */
export function principalsChanged(
  tx: Tx,
  aggregateId: string,
  kind: keyof PrincipalsChange,
  ids: readonly string[],
): void {
  for (let at = 0; at < ids.length; at += MOST) {
    tx.emit(
      PrincipalsChanged,
      { sessionIds: [], userIds: [], apiKeyIds: [], [kind]: ids.slice(at, at + MOST) },
      { aggregateId },
    );
  }
}
