import type { ApprovalPush } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Delivery, retryAfterSeconds } from './delivery.ts';

const SUBSCRIPTIONS = 'SELECT id, user_id FROM push_subscriptions WHERE user_id = ANY ($1::uuid[])';
const QUEUE = `
  INSERT INTO push_deliveries (id, subscription_id, approval_id, partner_id, org_id, title, expires_at)
  SELECT * FROM json_to_recordset($1::json) AS d (id uuid, "subscriptionId" uuid, "approvalId" uuid, "partnerId" uuid, "orgId" uuid, title text, "expiresAt" timestamptz)
  ON CONFLICT ON CONSTRAINT push_delivery_once DO NOTHING`;
/** A claim lasts a minute: a notifier that dies with it leaves the delivery to another. */
const CLAIM = `
  UPDATE push_deliveries d SET attempts = d.attempts + 1, next_attempt_at = now() + interval '60 seconds'
    FROM push_subscriptions s
   WHERE s.id = d.subscription_id AND d.id IN (
     SELECT id FROM push_deliveries WHERE delivered_at IS NULL AND next_attempt_at <= now() AND expires_at > now()
      ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING d.id, d.subscription_id, s.user_id, s.kind, s.endpoint, s.sealed_keys, d.approval_id, d.title, d.expires_at, d.attempts`;
const DELIVERED = 'UPDATE push_deliveries SET delivered_at = now(), last_error = NULL WHERE id = $1';
const POSTPONE = `UPDATE push_deliveries SET next_attempt_at = now() + make_interval(secs => $2), last_error = $3 WHERE id = $1`;
const GIVE_UP = `UPDATE push_deliveries SET next_attempt_at = 'infinity', last_error = $2 WHERE id = $1`;
const DROP_SUBSCRIPTION = 'DELETE FROM push_subscriptions WHERE id = $1 RETURNING id';
const FORGET = `DELETE FROM push_deliveries WHERE expires_at < now() - interval '7 days'`;

interface Subscribed {
  readonly id: string;
  readonly userId: string;
}

@Injectable()
export class DeliveriesRepository {
  /** One delivery for each subscription of the people. */
  async queue(tx: Tx, pushes: readonly ApprovalPush[]): Promise<void> {
    const subscriptions = await tx.query<Subscribed>(SUBSCRIPTIONS, [[...new Set(pushes.map(({ userId }) => userId))]]);
    const deliveries = pushes.flatMap(({ userId, ...push }) => subscriptions.filter((one) => one.userId === userId).map(({ id }) => ({ ...push, id: newId(), subscriptionId: id })));
    if (deliveries.length > 0) await tx.query(QUEUE, [JSON.stringify(deliveries)]);
  }

  claim(tx: Tx, limit: number): Promise<Delivery[]> {
    return tx.query<Delivery>(CLAIM, [limit]);
  }

  async markDelivered(tx: Tx, id: string): Promise<void> {
    await tx.query(DELIVERED, [id]);
  }

  async postpone(tx: Tx, { id, attempts }: Delivery, error: string): Promise<void> {
    await tx.query(POSTPONE, [id, retryAfterSeconds(attempts), error.slice(0, 500)]);
  }

  /** It will not be tried again. */
  async giveUp(tx: Tx, { id }: Delivery, error: string): Promise<void> {
    await tx.query(GIVE_UP, [id, error.slice(0, 500)]);
  }

  /** @returns whether it was still there */
  async dropSubscription(tx: Tx, { subscriptionId }: Delivery): Promise<boolean> {
    return (await tx.one(DROP_SUBSCRIPTION, [subscriptionId])) !== null;
  }

  async forgetOld(tx: Tx): Promise<void> {
    await tx.query(FORGET);
  }
}
