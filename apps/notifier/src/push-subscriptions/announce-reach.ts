import { PushReachChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';

/** Publishes whether a push can reach the user: approvals are written only for users whom a push can reach. */
export function announceReach(tx: Tx, userId: string, reach: { subscriptions: number; version: number }): void {
  tx.emit(PushReachChanged, { userId, ...reach }, { aggregateId: userId });
}
