import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export type PushKind = 'webpush' | 'webhook';
/**
 * Why a push was not delivered: the endpoint no longer exists, refused it, answered with an error, or did not answer.
 */
export const PUSH_FAILURES = ['gone', 'refused', 'error', 'unreachable'] as const;
export type PushFailure = (typeof PUSH_FAILURES)[number];

/**
 * A browser or webhook to which a user's approvals are pushed. It belongs to the user, whatever the membership, except
 * that one which a provider's session or an API key made is confined to its tenant.
 */
@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  /** The tenant whose approvals alone are pushed; null for those of every membership. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
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
