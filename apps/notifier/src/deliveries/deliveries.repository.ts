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
const PER_PERSON = 4;
const MOST_WAITING = 250;
const FIRST = '00000000-0000-0000-0000-000000000000';
const DUE = 'delivered_at IS NULL AND next_attempt_at <= now()';
/** Leaps through the index from subscription to subscription: how much is due to each costs nothing. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT 1 AS place, (SELECT subscription_id FROM push_deliveries WHERE ${DUE} AND subscription_id > $1 ORDER BY subscription_id, next_attempt_at LIMIT 1) AS id
    UNION ALL
    SELECT w.place + 1, (SELECT subscription_id FROM push_deliveries WHERE ${DUE} AND subscription_id > w.id ORDER BY subscription_id, next_attempt_at LIMIT 1)
      FROM waiting w WHERE w.id IS NOT NULL AND w.place < ${MOST_WAITING}
  ) SELECT id FROM waiting WHERE id IS NOT NULL ORDER BY id`;
/**
 * Who has the fewest under way comes first, and nobody has more than a few: what hangs for one does not hold the others back.
 * A claim lasts a minute: a notifier that dies with it leaves the delivery to another.
 */
const CLAIM = `
  WITH busy AS (
    SELECT user_id, count(*) AS deliveries FROM unnest($2::uuid[]) AS under_way(user_id) GROUP BY user_id
  ), due AS (
    SELECT d.id, coalesce(b.deliveries, 0) + row_number() OVER (PARTITION BY s.user_id ORDER BY d.next_attempt_at) AS turn
      FROM unnest($3::uuid[]) AS waiting(id) JOIN push_subscriptions s ON s.id = waiting.id LEFT JOIN busy b ON b.user_id = s.user_id
     CROSS JOIN LATERAL (
       SELECT id, next_attempt_at FROM push_deliveries
        WHERE subscription_id = waiting.id AND ${DUE} AND expires_at > now() ORDER BY next_attempt_at LIMIT ${PER_PERSON}
     ) d
  ), taken AS (
    SELECT d.id FROM push_deliveries d JOIN due ON due.id = d.id
     WHERE due.turn <= ${PER_PERSON} AND d.delivered_at IS NULL AND d.next_attempt_at <= now()
     ORDER BY due.turn, d.next_attempt_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE push_deliveries d SET attempts = d.attempts + 1, next_attempt_at = now() + interval '60 seconds'
    FROM taken, push_subscriptions s
   WHERE d.id = taken.id AND s.id = d.subscription_id
  RETURNING d.id, d.subscription_id, s.user_id, s.kind, s.endpoint, s.sealed_keys, d.approval_id, d.title, d.expires_at, d.attempts`;
const DELIVERED = 'UPDATE push_deliveries SET delivered_at = now(), last_error = NULL WHERE id = $1';
const POSTPONE = `UPDATE push_deliveries SET next_attempt_at = now() + make_interval(secs => $2), last_error = $3 WHERE id = $1`;
const GIVE_UP = `UPDATE push_deliveries SET next_attempt_at = 'infinity', last_error = $2 WHERE id = $1`;
const DROP_SUBSCRIPTION = 'DELETE FROM push_subscriptions WHERE id = $1 RETURNING id';
const EXPIRED_BATCH = 5_000;
/** Nobody waits for them any more, and they would stand in the way of what is due. */
const FORGET_EXPIRED = `
  DELETE FROM push_deliveries WHERE id IN (
    SELECT id FROM push_deliveries WHERE delivered_at IS NULL AND expires_at < now() ORDER BY expires_at LIMIT ${EXPIRED_BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
const FORGET = `DELETE FROM push_deliveries WHERE expires_at < now() - interval '7 days'`;

interface Subscribed {
  readonly id: string;
  readonly userId: string;
}

interface Turn {
  readonly limit: number;
  /** Whom deliveries are under way to already, once for each. */
  readonly busy: readonly string[];
  /** The `next` of the turn before; undefined: from the beginning. */
  readonly after: string | undefined;
}

@Injectable()
export class DeliveriesRepository {
  /** One delivery for each subscription of the people. */
  async queue(tx: Tx, pushes: readonly ApprovalPush[]): Promise<void> {
    const subscriptions = await tx.query<Subscribed>(SUBSCRIPTIONS, [[...new Set(pushes.map(({ userId }) => userId))]]);
    const deliveries = pushes.flatMap(({ userId, ...push }) => subscriptions.filter((one) => one.userId === userId).map(({ id }) => ({ ...push, id: newId(), subscriptionId: id })));
    if (deliveries.length > 0) await tx.query(QUEUE, [JSON.stringify(deliveries)]);
  }

  /** Of many subscriptions that have something due, some have their turn; those after them have the next. */
  async claim(tx: Tx, { limit, busy, after }: Turn): Promise<{ deliveries: Delivery[]; next: string | undefined }> {
    const waiting = (await tx.query<{ id: string }>(WAITING, [after ?? FIRST])).map(({ id }) => id);
    const deliveries = waiting.length > 0 ? await tx.query<Delivery>(CLAIM, [limit, busy, waiting]) : [];
    return { deliveries, next: waiting.length < MOST_WAITING ? undefined : waiting.at(-1) };
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

  /** @returns whether there may be more of them */
  async forgetExpired(tx: Tx): Promise<boolean> {
    return (await tx.query(FORGET_EXPIRED)).length === EXPIRED_BATCH;
  }

  async forgetOld(tx: Tx): Promise<void> {
    await tx.query(FORGET);
  }
}
