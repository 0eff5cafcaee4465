import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Events and bundles of events that wait to be published, or were published within the last days. */
@Entity('outbox')
export class OutboxEntity {
  @PrimaryColumn('uuid') id!: string;
  /** The order in which the relay publishes. */
  @Column('bigint', { generated: 'increment' }) sequence!: number;
  @Column('text') subject!: string;
  /** The original text of the event: `json` keeps it as it is. */
  @Column('json') envelope!: object;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) publishedAt!: Date | null;
}

/** The events that a consumer has applied, so that a redelivered one has no second effect. */
@Entity('inbox')
export class InboxEntity {
  @PrimaryColumn('text') consumer!: string;
  @PrimaryColumn('uuid') eventId!: string;
  @Column('timestamptz', { default: () => 'now()' }) receivedAt!: Date;
}

/** Events that a consumer has given up, until an operator replays them. */
@Entity('dead_letters')
export class DeadLetterEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') consumer!: string;
  @Column('text') subject!: string;
  /** The message as the broker delivered it. */
  @Column('text') payload!: string;
  @Column('text') error!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) replayedAt!: Date | null;
}

/** Results of requests with an Idempotency-Key, kept for 24 h. */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  /** The caller, with their membership and confinement: a key is theirs alone. */
  @PrimaryColumn('text') callerId!: string;
  @PrimaryColumn('text') key!: string;
  /** Always 0; earlier releases stored several results of one request. */
  @PrimaryColumn('integer') run!: number;
  @Column('text') bodyHash!: string;
  /** Null while the first request is still running. */
  @Column('text', { nullable: true }) sealedResult!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

/** The tables that every service's database has; {@link createDataSource} adds them to its own. */
export const PLATFORM_ENTITIES = [OutboxEntity, InboxEntity, DeadLetterEntity, IdempotencyKeyEntity] as const;
