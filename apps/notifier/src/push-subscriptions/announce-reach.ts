import { PushReachChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

const NEXT_VERSION = `INSERT INTO push_reach (user_id, version) VALUES ($1, 1) ON CONFLICT (user_id) DO UPDATE SET version = push_reach.version + 1 RETURNING version`;
const COUNT = `SELECT count(*)::int AS subscriptions FROM push_subscriptions WHERE user_id = $1`;

/**
 * The version of what a change of the person's subscriptions makes of their reach. Taken before anything is read: until
 * the
 * commit nobody else changes the subscriptions of this person.
 */
export async function nextReach(tx: Tx, userId: string): Promise<number> {
  const next = await tx.one<{ version: number }>(NEXT_VERSION, [userId]);
  return next?.version ?? 1;
}

/** Tells the other services whether a push can reach the person: approvals are written only for those whom one can. */
export async function announceReach(tx: Tx, userId: string, version: number): Promise<void> {
  const count = await tx.one<{ subscriptions: number }>(COUNT, [userId]);
  tx.emit(PushReachChanged, { userId, subscriptions: count?.subscriptions ?? 0, version }, { aggregateId: userId });
}
