import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PushPlace } from '../push-subscriptions/push-subscriptions.repository.ts';
import { type Attempt, type Delivery, secondsUntilRetry } from './delivery.ts';

/** One push to one subscription, until it is delivered, given up or expired. */
@Entity('push_deliveries')
export class PushDeliveryEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') subscriptionId!: string;
  /** The approval, or the event about the end of a request. */
  @Column('uuid') approvalId!: string;
  /** The request whose end the push is about; null for approvals. */
  @Column('uuid', { nullable: true }) elevationRequestId!: string | null;
  /** The tenant of the approval; null for deliveries of earlier releases. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The neutral text of the notification. */
  @Column('text') title!: string;
  /** When the approval expires: later attempts are pointless. */
  @Column('timestamptz') expiresAt!: Date;
  @Column('integer', { default: () => '0' }) attempts!: number;
  @Column('timestamptz', { default: () => 'now()' }) nextAttemptAt!: Date;
  @Column('timestamptz', { nullable: true }) deliveredAt!: Date | null;
  @Column('text', { nullable: true }) lastError!: string | null;
}

/** An endpoint that is subscribed for every tenant gets each push once. */
const SUBSCRIPTIONS = `
  SELECT id, user_id, partner_id, org_id FROM push_subscriptions s
   WHERE user_id = ANY ($1::uuid[]) AND NOT suspended AND (partner_id IS NULL OR NOT EXISTS (SELECT FROM push_subscriptions e
     WHERE e.user_id = s.user_id AND e.endpoint = s.endpoint AND e.partner_id IS NULL))`;
const QUEUE = `
  INSERT INTO push_deliveries (id, subscription_id, approval_id, elevation_request_id, partner_id, org_id, title,
    expires_at)
  SELECT * FROM json_to_recordset($1::json) AS d (id uuid, "subscriptionId" uuid, "approvalId" uuid,
    "elevationRequestId" uuid, "partnerId" uuid, "orgId" uuid, title text, "expiresAt" timestamptz)
  ON CONFLICT ON CONSTRAINT push_delivery_once DO NOTHING`;
const QUEUED_TOGETHER = 5_000;
const PER_PERSON = 4;
const MAX_WAITING = 250;
const MAX_PARTNERS = 50;
const FIRST = '00000000-0000-0000-0000-000000000000';
const DUE = 'delivered_at IS NULL AND next_attempt_at <= now()';
const nextPartner = (after: string): string =>
  `(SELECT partner_id FROM push_deliveries WHERE delivered_at IS NULL AND partner_id > ${after} ORDER BY partner_id
    LIMIT 1)`;
const nextSubscription = (partner: string, after: string): string =>
  `(SELECT subscription_id FROM push_deliveries WHERE partner_id = ${partner} AND ${DUE} AND subscription_id > ${after}
    ORDER BY subscription_id, next_attempt_at LIMIT 1)`;
/**
 * Skips through the index from partner to partner, and from subscription to subscription of each partner: the cost
 * does not depend on how many deliveries one of them has due, and each partner gets an equal share of the
 * subscriptions examined.
 */
const WAITING = `
  WITH RECURSIVE partners AS (
    SELECT 1 AS place, ${nextPartner('$1')} AS id
    UNION ALL
    SELECT p.place + 1, ${nextPartner('p.id')} FROM partners p WHERE p.id IS NOT NULL AND p.place < ${MAX_PARTNERS}
  ), share AS (
    SELECT ${MAX_WAITING} / greatest(count(id), 1) AS most FROM partners
  ), waiting AS (
    SELECT p.id AS partner_id, 1 AS place, ${nextSubscription('p.id', `coalesce(c.after, '${FIRST}')`)} AS id
      FROM partners p LEFT JOIN unnest($2::uuid[], $3::uuid[]) AS c (partner_id, after) ON c.partner_id = p.id
        WHERE p.id IS NOT NULL
    UNION ALL
    SELECT w.partner_id, w.place + 1, ${nextSubscription('w.partner_id', 'w.id')} FROM waiting w WHERE w.id IS NOT NULL
      AND w.place < (SELECT most FROM share)
  ) SELECT partner_id, id, place = (SELECT most FROM share) AS is_last FROM waiting ORDER BY partner_id, place`;
/**
 * Orders by the partner with the fewest deliveries under way, then by its user with the fewest, and gives each user
 * only a few: hanging endpoints of one do not delay the others. A claim is a lease of one minute, after which another
 * replica takes over the delivery of a crashed notifier.
 */
const CLAIM = `
  WITH busy AS MATERIALIZED (
    SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS under_way (partner_id, user_id)
  ), due AS (
    SELECT d.id, w.partner_id, d.next_attempt_at,
           (SELECT count(*) FROM busy b WHERE b.user_id = s.user_id) + row_number() OVER (PARTITION BY s.user_id
             ORDER BY d.next_attempt_at) AS turn
      FROM unnest($4::uuid[], $5::uuid[]) AS w (partner_id, id)
      JOIN push_subscriptions s ON s.id = w.id AND NOT s.suspended
     CROSS JOIN LATERAL (
       SELECT id, next_attempt_at FROM push_deliveries
        WHERE partner_id = w.partner_id AND subscription_id = w.id AND ${DUE} AND expires_at > now()
          ORDER BY next_attempt_at LIMIT ${PER_PERSON}
     ) d
  ), shared AS (
    SELECT due.*, (SELECT count(*) FROM busy b
      WHERE b.partner_id = due.partner_id) + row_number() OVER (PARTITION BY due.partner_id
      ORDER BY due.turn, due.next_attempt_at) AS partner_turn
      FROM due WHERE due.turn <= ${PER_PERSON}
  ), taken AS (
    SELECT d.id FROM push_deliveries d JOIN shared ON shared.id = d.id
     WHERE d.delivered_at IS NULL AND d.next_attempt_at <= now()
     ORDER BY shared.partner_turn, shared.turn, d.next_attempt_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE push_deliveries d SET attempts = d.attempts + 1, next_attempt_at = now() + interval '60 seconds'
    FROM taken, push_subscriptions s
   WHERE d.id = taken.id AND s.id = d.subscription_id
  RETURNING d.id, d.subscription_id, s.user_id, d.partner_id, s.kind, s.endpoint, s.sealed_keys, d.approval_id,
    d.elevation_request_id, d.title, d.expires_at, d.attempts`;
/**
 * The subscription shows its user what became of the newest push. It is locked before the delivery, in the order of its
 * deletion, which takes its deliveries along.
 */
const noted = (delivery: string, subscription: string): string => `
  WITH held AS MATERIALIZED (
    SELECT s.id FROM push_subscriptions s WHERE s.id = (SELECT subscription_id FROM push_deliveries WHERE id = $1)
      FOR NO KEY UPDATE
  ), delivery AS (
    UPDATE push_deliveries d SET ${delivery} FROM held WHERE d.id = $1 AND d.subscription_id = held.id
      RETURNING d.subscription_id
  )
  UPDATE push_subscriptions s SET ${subscription} FROM delivery WHERE s.id = delivery.subscription_id`;
const FAILED = 'last_failure_at = now(), last_failure = $2';
const DELIVERED = noted('delivered_at = now(), last_error = NULL', 'last_delivered_at = now()');
const POSTPONE = noted('next_attempt_at = now() + make_interval(secs => $4), last_error = $3', FAILED);
const GIVE_UP = noted("next_attempt_at = 'infinity', last_error = $3", FAILED);
const MAX_REASON = 500;
const EXPIRED_BATCH = 5_000;
/** Expired deliveries are of no use, and would slow the search for due ones. */
const FORGET_EXPIRED = `
  DELETE FROM push_deliveries WHERE id IN (
    SELECT id FROM push_deliveries WHERE delivered_at IS NULL AND expires_at < now() ORDER BY expires_at
      LIMIT ${EXPIRED_BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
const FORGET = `DELETE FROM push_deliveries WHERE expires_at < now() - interval '7 days'`;

/** A push to a user, before it is queued for each of their subscriptions. */
export interface QueuedPush {
  readonly approvalId: string;
  readonly elevationRequestId?: string;
  readonly userId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly title: string;
  readonly expiresAt: string;
}

interface Subscribed extends PushPlace {
  readonly id: string;
  readonly userId: string;
}

/** Whether a subscription, which may be confined to a tenant, gets the pushes of an organisation. */
const covers = (subscription: Subscribed, { partnerId, orgId }: QueuedPush): boolean =>
  (subscription.partnerId ?? partnerId) === partnerId && (subscription.orgId ?? orgId) === orgId;

interface Waiting {
  readonly partnerId: string;
  /** Null after the last partner or subscription with due deliveries. */
  readonly id: string | null;
  /** Whether this claim stops here although there may be more. */
  readonly isLast: boolean;
}

/** The position up to which claims have examined the index. */
export interface Position {
  readonly partner: string;
  /** For each partner with more subscriptions than one claim examines, the last one examined. */
  readonly subscriptions: ReadonlyMap<string, string>;
}
export const BEGINNING: Position = { partner: FIRST, subscriptions: new Map() };

interface Turn {
  readonly limit: number;
  readonly busy: readonly Pick<Delivery, 'partnerId' | 'userId'>[];
  /** The `next` of the previous claim. */
  readonly after: Position;
}

interface Taken {
  readonly deliveries: Delivery[];
  readonly next: Position;
  /** Whether there may be due deliveries that this claim has not examined. */
  readonly more: boolean;
}

/**
 * The position where a claim ended. After the last partner, or the last subscription of a partner, the next claim
 * starts again at the first.
 */
function positionAfter(waiting: readonly Waiting[], { partner, subscriptions }: Position): Position {
  const seen = new Set(waiting.map(({ partnerId }) => partnerId));
  const atTheEnd = seen.size < MAX_PARTNERS;
  // A claim that sees all partners drops the positions of those with nothing due.
  const next = new Map(partner === FIRST && atTheEnd ? [] : [...subscriptions].filter(([id]) => !seen.has(id)));
  for (const { partnerId, id, isLast } of waiting) if (id !== null && isLast) next.set(partnerId, id);
  return { partner: atTheEnd ? FIRST : (waiting.at(-1)?.partnerId ?? FIRST), subscriptions: next };
}

const orderOf = ({ userId, subscriptionId }: { readonly userId: string; readonly subscriptionId: string }): string =>
  `${userId} ${subscriptionId}`;

@Injectable()
export class DeliveriesRepository {
  /** Queues one delivery for each subscription of the users that covers the organisation. */
  async queue(tx: Tx, pushes: readonly QueuedPush[]): Promise<void> {
    const userIds = [...new Set(pushes.map(({ userId }) => userId))];
    const subscriptions = new Map<string, Subscribed[]>();
    for (const subscription of await tx.query<Subscribed>(SUBSCRIPTIONS, [userIds])) {
      const { userId } = subscription;
      subscriptions.set(userId, [...(subscriptions.get(userId) ?? []), subscription]);
    }
    const deliveries = pushes.flatMap((push) =>
      (subscriptions.get(push.userId) ?? [])
        .filter((subscription) => covers(subscription, push))
        .map(({ id: subscriptionId }) => ({ ...push, id: newId(), subscriptionId })),
    );
    // Deletions take the subscriptions in this order too.
    deliveries.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    for (let at = 0; at < deliveries.length; at += QUEUED_TOGETHER)
      await tx.query(QUEUE, [JSON.stringify(deliveries.slice(at, at + QUEUED_TOGETHER))]);
  }

  /**
   * Claims due deliveries: from a large number of subscriptions it examines some of each partner, and the next claim
   * examines those after them.
   */
  async claim(tx: Tx, { limit, busy, after }: Turn): Promise<Taken> {
    const looked = await tx.query<Waiting>(WAITING, [
      after.partner,
      [...after.subscriptions.keys()],
      [...after.subscriptions.values()],
    ]);
    const next = positionAfter(looked, after);
    const waiting = looked.filter(({ id }) => id !== null);
    if (waiting.length === 0) return { deliveries: [], next, more: false };
    const deliveries = await tx.query<Delivery>(CLAIM, [
      limit,
      busy.map(({ partnerId }) => partnerId),
      busy.map(({ userId }) => userId),
      waiting.map(({ partnerId }) => partnerId),
      waiting.map(({ id }) => id ?? FIRST),
    ]);
    return {
      deliveries,
      next,
      more: deliveries.length === limit || waiting.some(({ isLast }) => isLast) || next.partner !== FIRST,
    };
  }

  async markDelivered(statement: Reader, { id }: Delivery): Promise<void> {
    await statement.query(DELIVERED, [id]);
  }

  async postpone(statement: Reader, { id, attempts }: Delivery, attempt: Attempt): Promise<void> {
    const { failure, reason } = attempt;
    await statement.query(POSTPONE, [id, failure, reason.slice(0, MAX_REASON), secondsUntilRetry(attempts, attempt)]);
  }

  /** Marks a delivery as failed for good. */
  async giveUp(statement: Reader, { id }: Delivery, { failure, reason }: Attempt): Promise<void> {
    await statement.query(GIVE_UP, [id, failure, reason.slice(0, MAX_REASON)]);
  }

  /** @returns whether there may be more expired deliveries */
  async forgetExpired(tx: Tx): Promise<boolean> {
    return (await tx.query(FORGET_EXPIRED)).length === EXPIRED_BATCH;
  }

  async forgetOld(tx: Tx): Promise<void> {
    await tx.query(FORGET);
  }
}
