import { PushReachChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

const NEXT_VERSION = `INSERT INTO push_reach (user_id, version) VALUES ($1, 1) ON CONFLICT (user_id) DO UPDATE SET version = push_reach.version + 1 RETURNING version`;
const COUNT = `SELECT count(*)::int AS subscriptions FROM push_subscriptions WHERE user_id = $1`;

/** Tells the other services whether a push can reach the person: approvals are written only for those whom one can. */
export async function announceReach(tx: Tx, userId: string): Promise<void> {
  const next = await tx.one<{ version: number }>(NEXT_VERSION, [userId]);
  const count = await tx.one<{ subscriptions: number }>(COUNT, [userId]);
  tx.emit(PushReachChanged, { userId, subscriptions: count?.subscriptions ?? 0, version: next?.version ?? 1 }, { aggregateId: userId });
}
