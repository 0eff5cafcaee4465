import { type Caller, type IdempotencySlot, ProblemError } from '@gatehouse/contracts-core';
import type { KeyRing } from '@gatehouse/crypto';
import { deserialize, serialize } from 'node:v8';
import type { SealedColumn } from './sealed-column.ts';
import type { Reader, Tx } from './tx.ts';

interface Remembered {
  readonly bodyHash: string;
  readonly sealedResult: string | null;
}

const ownerOf = (caller: Caller): string => ('id' in caller ? `${caller.kind}:${caller.id}` : caller.kind);
export const idempotencyColumn: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_result',
  boundTo: ['caller_id', 'key', 'run'],
  context: (owner, key, run) => `idempotency:${owner}:${key}:${run}`,
};
const contextOf = (caller: Caller, slot: IdempotencySlot, run: number): string =>
  idempotencyColumn.context(ownerOf(caller), slot.key, String(run));

// The insert waits for a parallel request with the same key to commit, and then finds its row.
const CLAIM = `INSERT INTO idempotency_keys (caller_id, key, run, body_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key`;
const FIND = `SELECT body_hash, sealed_result FROM idempotency_keys WHERE caller_id = $1 AND key = $2 AND run = $3`;
const STORE = `UPDATE idempotency_keys SET sealed_result = $4 WHERE caller_id = $1 AND key = $2 AND run = $3`;

/**
 * Returns the stored result of this request's unit of work, or null when it has not run yet (decisions, "idempotency").
 * @throws ProblemError idempotency_key_reused when the key came with another body
 */
export async function recall<T>(tx: Tx, run: number, keys: KeyRing): Promise<{ result: T } | null> {
  const slot = tx.caller.idempotency;
  if (!slot) return null;
  if (await tx.one(CLAIM, [ownerOf(tx.caller), slot.key, run, slot.bodyHash])) return null;
  const known = await lookUp<T>(tx, run, keys);
  if (!known)
    throw new ProblemError('conflict', 'A request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    });
  return known;
}

/**
 * Like {@link recall}, but claims no key: it also returns null while another request with the key is running.
 * @throws ProblemError idempotency_key_reused
 */
export async function lookUp<T>(reader: Reader, run: number, keys: KeyRing): Promise<{ result: T } | null> {
  const slot = reader.caller.idempotency;
  if (!slot) return null;
  const known = await reader.one<Remembered>(FIND, [ownerOf(reader.caller), slot.key, run]);
  if (known && known.bodyHash !== slot.bodyHash)
    throw new ProblemError('idempotency_key_reused', 'This Idempotency-Key was used with another request.');
  if (!known?.sealedResult) return null;
  return { result: deserialize(keys.openBytes(known.sealedResult, contextOf(reader.caller, slot, run))) as T };
}

/**
 * Stores the result in the transaction of the change. It is sealed, because a result may hold a secret that is shown
 * once.
 */
export async function remember(tx: Tx, run: number, result: unknown, keys: KeyRing): Promise<void> {
  const slot = tx.caller.idempotency;
  if (!slot) return;
  const sealed = keys.seal(serialize(result), contextOf(tx.caller, slot, run));
  await tx.query(STORE, [ownerOf(tx.caller), slot.key, run, sealed]);
}
