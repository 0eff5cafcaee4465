import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export type PushKind = 'webpush' | 'webhook';
/**
 * Why a push was not delivered: the endpoint no longer exists, refused it, answered with an error, or did not answer.
 */
export const PUSH_FAILURES = ['gone', 'refused', 'error', 'unreachable'] as const;
export type PushFailure = (typeof PUSH_FAILURES)[number];

/** A browser or webhook to which a user's approvals are pushed. It belongs to the user, whatever the membership. */
@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  /** No longer written: subscriptions used to belong to a tenant. */
  @Column('uuid', { nullable: true, select: false }) partnerId?: string | null;
  /** No longer written. */
  @Column('uuid', { nullable: true, select: false }) orgId?: string | null;
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
