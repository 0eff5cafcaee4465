import type { Reader, Tx } from '@gatehouse/database';
import { type PushFailure, PushSubscription } from './push-subscription.entity.ts';

const BE_OWNER = `SELECT set_config('app.user_id', $1, true)`;
const NEXT_VERSION = `INSERT INTO push_reach (user_id, version) VALUES ($1, 1) ON CONFLICT (user_id) DO UPDATE
  SET version = push_reach.version + 1 RETURNING version`;

/** The subscriptions of users. Call {@link asOwner} first in each transaction. */
export class PushSubscriptionsRepository {
  /**
   * Lets a transaction read the subscriptions of a user, whichever membership the session is for; row security hides
   * all others.
   */
  async asOwner(reader: Reader, userId: string): Promise<void> {
    await reader.query(BE_OWNER, [userId]);
  }

  list(reader: Reader, userId: string): Promise<PushSubscription[]> {
    return reader.manager.find(PushSubscription, { where: { userId }, order: { id: 'ASC' } });
  }

  find(reader: Reader, userId: string, id: string): Promise<PushSubscription | null> {
    return reader.manager.findOne(PushSubscription, { where: { id, userId } });
  }

  /** Records the outcome of a push. @returns the subscription, or null when it has been deleted since */
  async note(tx: Tx, { userId, id }: PushSubscription, failure: PushFailure | null): Promise<PushSubscription | null> {
    const now = new Date();
    const outcome = failure ? { lastFailure: failure, lastFailureAt: now } : { lastDeliveredAt: now };
    await tx.manager.update(PushSubscription, { id, userId }, outcome);
    return this.find(tx, userId, id);
  }

  count(reader: Reader, userId: string): Promise<number> {
    return reader.manager.countBy(PushSubscription, { userId });
  }

  async insert(tx: Tx, subscription: PushSubscription): Promise<void> {
    await tx.manager.insert(PushSubscription, subscription);
  }

  /** @returns whether there was one */
  async delete(tx: Tx, userId: string, key: { id: string } | { endpoint: string }): Promise<boolean> {
    const { affected } = await tx.manager.delete(PushSubscription, { ...key, userId });
    return Boolean(affected);
  }

  /**
   * Returns the version for the event that a change of the user's subscriptions causes. Call this before any read: it
   * locks out concurrent changes of this user's subscriptions until the commit.
   */
  async nextReach(tx: Tx, userId: string): Promise<number> {
    const next = await tx.one<{ version: number }>(NEXT_VERSION, [userId]);
    return next?.version ?? 1;
  }
}
