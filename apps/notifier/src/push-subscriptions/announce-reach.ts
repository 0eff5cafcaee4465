import { PushReachChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

const NEXT_VERSION = `INSERT INTO push_reach (user_id, version) VALUES ($1, 1) ON CONFLICT (user_id) DO UPDATE SET version = push_reach.version + 1 RETURNING version`;
const COUNT = `SELECT count(*)::int AS subscriptions FROM push_subscriptions WHERE user_id = $1`;

/**
 * Returns the version for the event that a change of the user's subscriptions causes. Call this before any read: it
 * locks out concurrent changes of this user's subscriptions until the commit.
 */
export async function nextReach(tx: Tx, userId: string): Promise<number> {
  const next = await tx.one<{ version: number }>(NEXT_VERSION, [userId]);
  return next?.version ?? 1;
}

/** Publishes whether a push can reach the user: approvals are written only for users whom a push can reach. */
export async function announceReach(tx: Tx, userId: string, version: number): Promise<void> {
  const count = await tx.one<{ subscriptions: number }>(COUNT, [userId]);
  tx.emit(PushReachChanged, { userId, subscriptions: count?.subscriptions ?? 0, version }, { aggregateId: userId });
}
