import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export type PushKind = 'webpush' | 'webhook';

@Entity('push_subscriptions')
export class PushSubscription {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') kind!: PushKind;
  @Column('text') endpoint!: string;
  /** The sealed Web Push keys, or the sealed secret that signs a webhook's deliveries. */
  @Column('text') sealedKeys!: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

export const keysContext = (id: string): string => `push_subscription:${id}:keys`;
