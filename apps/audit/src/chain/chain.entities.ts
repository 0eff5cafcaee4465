import type { AuditAction, AuditResult, EventActor } from '@gatehouse/contracts-core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One entry of the log. The table is append-only and partitioned by month, so the key includes the timestamp. */
@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn('uuid') id!: string;
  /** The partner's id, or `system`. */
  @Column('text') chain!: string;
  /** 1 for the first entry of its chain, without gaps. */
  @Column('bigint') sequence!: number;
  @PrimaryColumn('timestamptz') timestamp!: Date;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('text') actorType!: EventActor['type'];
  @Column('text', { nullable: true }) actorId!: string | null;
  @Column('text', { nullable: true }) actorName!: string | null;
  /** The name of the API key that acted. */
  @Column('text', { nullable: true }) actorLabel!: string | null;
  @Column('text') action!: AuditAction;
  @Column('text') resourceType!: string;
  @Column('text', { nullable: true }) resourceId!: string | null;
  @Column('text', { nullable: true }) resourceName!: string | null;
  @Column('text') result!: AuditResult;
  @Column('jsonb') details!: Readonly<Record<string, unknown>>;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('text', { nullable: true }) clientRequestId!: string | null;
  /** The hash of the entry before; 64 zeros for the first of a chain. */
  @Column('text') previousHash!: string;
  @Column('text') hash!: string;
}

/** The end of a chain. Its row is locked while entries are appended. */
@Entity('chains')
export class ChainEntity {
  @PrimaryColumn('text') chain!: string;
  /** Null for the chain of the system. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('bigint', { default: () => '0' }) length!: number;
  /** The hash of the last entry. */
  @Column('text') head!: string;
  /** The length that the newest signed checkpoint covers. */
  @Column('bigint', { default: () => '0' }) checkpointedLength!: number;
}
