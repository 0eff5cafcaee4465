import type { UserCaller } from '@gatehouse/contracts-core';
import { PushReachChanged } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import { Column, CreateDateColumn, Entity, type FindOptionsWhere, IsNull, PrimaryColumn } from 'typeorm';

/** The tenant to which a subscription is confined: the pushes of an organisation, or of a partner and all below it. */
export interface PushPlace {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** Whose subscriptions a caller reaches. */
export interface PushOwner {
  readonly userId: string;
  /** Null for a person's own session, which reaches all of their subscriptions and makes such as hold everywhere. */
  readonly place: PushPlace | null;
}

export const EVERYWHERE: PushPlace = { partnerId: null, orgId: null };

/** An identity provider or an API key is trusted in one tenant only: it reaches what was made for that tenant. */
export const pushOwnerOf = ({ userId, confined, partnerId, orgId }: UserCaller): PushOwner => ({
  userId,
  place: confined ? { partnerId, orgId } : null,
});

export type PushKind = 'webpush' | 'webhook';
/**
 * Why a push was not delivered: the endpoint no longer exists, refused it, answered with an error, or did not answer.
 */
export const PUSH_FAILURES = ['gone', 'refused', 'error', 'unreachable'] as const;
export type PushFailure = (typeof PUSH_FAILURES)[number];

/**
 * A browser or webhook to which a user's approvals are pushed. It belongs to the user, whatever the membership, except
 * that one which a provider's session made is confined to its tenant.
 */
@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  /** The tenant whose approvals alone are pushed; null for those of every membership. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The identity provider whose session made it: it ends with the provider. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  @Column('bigint', { default: () => '0' }) providerVersion!: number;
  /** The provider is not active. */
  @Column('boolean', { default: () => 'false' }) suspended!: boolean;
  @Column('text') kind!: PushKind;
  @Column('text') endpoint!: string;
  /** The sealed Web Push keys, or the sealed secret that signs a webhook's deliveries. */
  @Column('text') sealedKeys!: string;
  /** The name that its user gave it, to tell several apart. */
  @Column('text', { nullable: true }) label!: string | null;
  @Column('timestamptz', { nullable: true }) lastDeliveredAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastFailureAt!: Date | null;
  @Column('text', { nullable: true }) lastFailure!: PushFailure | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

/** Orders the announcements of whether a push can reach a user. */
@Entity('push_reach')
export class PushReachEntity {
  @PrimaryColumn('uuid') userId!: string;
  @Column('bigint') version!: number;
}

export const keysContext = (id: string): string => `push_subscription:${id}:keys`;

/** Publishes whether a push can reach the user: approvals are written only for users whom a push can reach. */
export function announceReach(tx: Tx, userId: string, reach: { subscriptions: number; version: number }): void {
  tx.emit(PushReachChanged, { userId, ...reach }, { aggregateId: userId });
}

const BE_OWNER = `SELECT set_config('app.user_id', $1, true)`;
const NEXT_VERSION = `INSERT INTO push_reach (user_id, version) VALUES ($1, 1) ON CONFLICT (user_id) DO UPDATE
  SET version = push_reach.version + 1 RETURNING version`;
const MAX_LISTED = 100;

const inPlace = ({ partnerId, orgId }: PushPlace) => ({ partnerId: partnerId ?? IsNull(), orgId: orgId ?? IsNull() });
const within = ({ userId, place }: PushOwner): FindOptionsWhere<PushSubscription> => ({
  userId,
  ...(place && inPlace(place)),
});

const SUSPEND = `UPDATE push_subscriptions SET suspended = $2, provider_version = $3
  WHERE id = $1 AND provider_version <= $3`;
const END = 'DELETE FROM push_subscriptions WHERE id = $1 RETURNING id';

/** The subscriptions of users. Call {@link asOwner} first in each transaction. */
export class PushSubscriptionsRepository {
  /**
   * Lets a transaction read the subscriptions of a user, whichever membership the session is for; row security hides
   * all others.
   */
  async asOwner(reader: Reader, userId: string): Promise<void> {
    await reader.query(BE_OWNER, [userId]);
  }

  /** Lists those that hold everywhere first, which others cannot crowd out. */
  list(reader: Reader, owner: PushOwner): Promise<PushSubscription[]> {
    const order = { partnerId: { direction: 'ASC', nulls: 'FIRST' }, id: 'ASC' } as const;
    return reader.manager.find(PushSubscription, { where: within(owner), order, take: MAX_LISTED });
  }

  find(reader: Reader, owner: PushOwner, id: string): Promise<PushSubscription | null> {
    return reader.manager.findOne(PushSubscription, { where: { ...within(owner), id } });
  }

  /** Records the outcome of a push. @returns the subscription, or null when it has been deleted since */
  async note(tx: Tx, { userId, id }: PushSubscription, failure: PushFailure | null): Promise<PushSubscription | null> {
    const now = new Date();
    const outcome = failure ? { lastFailure: failure, lastFailureAt: now } : { lastDeliveredAt: now };
    await tx.manager.update(PushSubscription, { id, userId }, outcome);
    return this.find(tx, { userId, place: null }, id);
  }

  /** Counts the subscriptions of a user that get pushes, of whichever tenant. */
  count(reader: Reader, userId: string): Promise<number> {
    return reader.manager.countBy(PushSubscription, { userId, suspended: false });
  }

  /** Counts those made with the reach of this owner: no tenant takes the places of another. */
  countBeside(reader: Reader, { userId, place }: PushOwner): Promise<number> {
    return reader.manager.countBy(PushSubscription, { userId, ...inPlace(place ?? EVERYWHERE) });
  }

  async insert(tx: Tx, subscription: PushSubscription): Promise<void> {
    await tx.manager.insert(PushSubscription, subscription);
  }

  /** @returns whether there was one */
  async delete(tx: Tx, owner: PushOwner, key: { id: string } | { endpoint: string }): Promise<boolean> {
    const { affected } = await tx.manager.delete(PushSubscription, { ...within(owner), ...key });
    return Boolean(affected);
  }

  /**
   * Ends a subscription, by default because its endpoint is gone (404 or 410), and tells what reach its user has left.
   * @returns whether it still existed
   */
  async end(
    tx: Tx,
    { subscriptionId, userId }: { subscriptionId: string; userId: string },
    reason = 'the endpoint is gone',
  ): Promise<boolean> {
    const version = await this.nextReach(tx, userId);
    if (!(await tx.one(END, [subscriptionId]))) return false;
    announceReach(tx, userId, { subscriptions: await this.count(tx, userId), version });
    tx.audit({
      action: 'push_subscription.delete',
      resource: { type: 'push_subscription', id: subscriptionId },
      details: { reason },
    });
    return true;
  }

  /** Those that a user has in any tenant, or that the sessions of a provider made. */
  allOf(reader: Reader, by: { userId: string } | { providerId: string }): Promise<PushSubscription[]> {
    return reader.manager.find(PushSubscription, { where: by, order: { userId: 'ASC', id: 'ASC' } });
  }

  /** Suspends or resumes the subscription, unless a newer state of its provider is known. */
  async suspend(tx: Tx, { id, userId }: PushSubscription, suspended: boolean, providerVersion: number): Promise<void> {
    const version = await this.nextReach(tx, userId);
    await tx.query(SUSPEND, [id, suspended, providerVersion]);
    announceReach(tx, userId, { subscriptions: await this.count(tx, userId), version });
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
