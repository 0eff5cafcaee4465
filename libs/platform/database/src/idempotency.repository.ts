import { type Caller, type IdempotencyKey, ProblemError } from '@gatehouse/contracts-core';
import type { KeyRing } from '@gatehouse/crypto';
import { deserialize, serialize } from 'node:v8';
import type { SealedColumn } from './sealed/sealed-column.repository.ts';
import type { Reader, Tx } from './tx.ts';

interface Remembered {
  readonly bodyHash: string;
  readonly sealedResult: string | null;
}

/**
 * A key belongs to the caller's membership and confinement: a person's session in another tenant, or one that an
 * identity provider opened, must not be answered with what another of their sessions did. Neither must the visitor of a
 * set-up link, who acts in its author's name.
 */
function ownerOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return caller.kind;
  const owner = `${caller.kind}:${caller.id}`;
  if (caller.kind !== 'user' && caller.kind !== 'api_key') return owner;
  if (caller.setupVisit) return `setup_visit:${caller.setupVisit.id}`;
  return `${owner}@${caller.membershipId}${caller.confined ? `/${caller.providerId ?? ''}` : ''}`;
}
export const idempotencyColumn: SealedColumn = {
  table: 'idempotency_keys',
  column: 'sealed_result',
  boundTo: ['caller_id', 'key', 'run'],
  context: (owner, key, run) => `idempotency:${owner}:${key}:${run}`,
};
/** Results of one request are told apart by this number; each request stores one. */
const RUN = 0;
const contextOf = (caller: Caller, { key }: IdempotencyKey): string =>
  idempotencyColumn.context(ownerOf(caller), key, String(RUN));

// The insert waits for a parallel request with the same key to commit, and then finds its row.
const CLAIM = `INSERT INTO idempotency_keys (caller_id, key, run, body_hash) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING RETURNING key`;
const FIND = `SELECT body_hash, sealed_result FROM idempotency_keys WHERE caller_id = $1 AND key = $2 AND run = $3`;
const STORE = `UPDATE idempotency_keys SET sealed_result = $4 WHERE caller_id = $1 AND key = $2 AND run = $3`;

/**
 * Claims the key for this request (decisions, "idempotency").
 * @returns the stored result when the request has run already, or null when it runs for the first time
 * @throws ProblemError idempotency_key_reused when the key came with another body
 */
export async function claim(tx: Tx, key: IdempotencyKey, keys: KeyRing): Promise<{ result: unknown } | null> {
  if (await tx.one(CLAIM, [ownerOf(tx.caller), key.key, RUN, key.bodyHash])) return null;
  const known = await recall(tx, key, keys);
  if (!known)
    throw new ProblemError('conflict', 'A request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    });
  return known;
}

/** Like {@link claim}, but claims nothing: it also returns null while another request with the key is running. */
export async function recall(reader: Reader, key: IdempotencyKey, keys: KeyRing): Promise<{ result: unknown } | null> {
  const known = await reader.one<Remembered>(FIND, [ownerOf(reader.caller), key.key, RUN]);
  if (known && known.bodyHash !== key.bodyHash)
    throw new ProblemError('idempotency_key_reused', 'This Idempotency-Key was used with another request.');
  if (!known?.sealedResult) return null;
  return { result: deserialize(keys.openBytes(known.sealedResult, contextOf(reader.caller, key))) as unknown };
}

/**
 * Stores the result in the transaction of the change. It is sealed, because a result holds what its caller may read.
 */
export async function remember(tx: Tx, key: IdempotencyKey, result: unknown, keys: KeyRing): Promise<void> {
  const sealed = keys.seal(serialize(result), contextOf(tx.caller, key));
  await tx.query(STORE, [ownerOf(tx.caller), key.key, RUN, sealed]);
}
