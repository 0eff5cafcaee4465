import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from './tx.ts';

/** A request of an ended session may still be under way for as long: the gateway lets in none that is 5 s late. */
const UNDER_WAY_SECONDS = 10;
const lock = (mode: '' | '_shared'): string =>
  `SELECT pg_advisory_xact_lock${mode}(hashtextextended('gatehouse.provider_ends ' || $1, 0))`;
const NOTE = `
  WITH past AS (DELETE FROM provider_ends WHERE ended_at < now() - interval '${UNDER_WAY_SECONDS} seconds')
  INSERT INTO provider_ends (provider_id, user_id) VALUES ($1, $2)`;
const ENDED = `
  SELECT provider_id FROM provider_ends WHERE provider_id = $1 AND (user_id IS NULL OR user_id = $2)
     AND ended_at >= greatest(now() - interval '${UNDER_WAY_SECONDS} seconds', $3::timestamptz) LIMIT 1`;
/** The time in an id of version 7. */
const madeAt = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** A change of an identity provider, as identity publishes it. */
type ProviderChange = Readonly<Record<'providerId' | 'status', string>> & {
  deleted: boolean;
  allUnlinked?: boolean;
  unlinkedUserId?: string;
};

/**
 * Call this before ending what the sessions of a provider made: it waits for what {@link requireLiveProvider} let in.
 * @returns the user whose sessions ended, null for all, or undefined when the change ends none
 */
export async function noteProviderEnd(tx: Tx, change: ProviderChange): Promise<string | null | undefined> {
  const { providerId, status, deleted, allUnlinked, unlinkedUserId } = change;
  const userId = deleted || status !== 'active' || allUnlinked ? null : unlinkedUserId;
  if (userId === undefined) return undefined;
  await tx.query(lock(''), [providerId]);
  await tx.query(NOTE, [providerId, userId]);
  return userId;
}

/**
 * Call this first in a transaction that stores something which ends with the caller's identity provider. A session
 * that was opened since is let in.
 * @throws ProblemError conflict when the provider's sessions have just ended, while the request was under way
 */
export async function requireLiveProvider(tx: Tx, { providerId, userId, sessionId }: UserCaller): Promise<void> {
  if (providerId === null) return;
  await tx.query(lock('_shared'), [providerId]);
  if (await tx.one(ENDED, [providerId, userId, sessionId && madeAt(sessionId)]))
    throw new ProblemError('conflict', 'The sessions of your identity provider have just ended; try again later.', {
      retryAfterSeconds: UNDER_WAY_SECONDS,
    });
}
