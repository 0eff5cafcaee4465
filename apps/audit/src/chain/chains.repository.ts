import type { AuditAction, AuditResult, EventActor } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type AuditLogEntry, type ChainEnd, GENESIS, SYSTEM_CHAIN } from './link.ts';

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

export interface Chain extends ChainEnd {
  readonly chain: string;
  readonly partnerId: string | null;
  readonly checkpointedLength: number;
}

const OPEN = 'INSERT INTO chains (chain, partner_id, head) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
const LOCK = 'SELECT chain, partner_id, length, head, checkpointed_length FROM chains WHERE chain = $1 FOR UPDATE';
const LOCK_GROWN = `SELECT chain, partner_id, length, head, checkpointed_length FROM chains
  WHERE length > checkpointed_length AND chain > $2 ORDER BY chain LIMIT $1 FOR UPDATE SKIP LOCKED`;
const FIND = 'SELECT chain, partner_id, length, head, checkpointed_length FROM chains WHERE chain = $1';
const ALL = 'SELECT chain, partner_id, length, head, checkpointed_length FROM chains ORDER BY chain';
const HASH_AT = 'SELECT hash FROM audit_entries WHERE chain = $1 AND sequence = $2';
const ADVANCE = 'UPDATE chains SET length = $2, head = $3 WHERE chain = $1';
const NOTE_CHECKPOINT = 'UPDATE chains SET checkpointed_length = $2 WHERE chain = $1';
const APPEND = `
  INSERT INTO audit_entries (id, chain, sequence, timestamp, partner_id, org_id, site_id, actor_type, actor_id,
    actor_name, actor_label, action, resource_type, resource_id, resource_name, result, details, ip, user_agent,
    request_id, client_request_id, previous_hash, hash)
  SELECT id, chain, sequence, timestamp, "partnerId", "orgId", "siteId", actor->>'type', actor->>'id', actor->>'name',
    actor->>'label', action, resource->>'type', resource->>'id', resource->>'name', result, details, ip, "userAgent",
    "requestId", "clientRequestId", "previousHash", hash
  FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, chain text, sequence bigint, timestamp timestamptz, "partnerId" uuid,
    "orgId" uuid, "siteId" uuid, actor jsonb, action text, resource jsonb, result text, details jsonb, ip text,
    "userAgent" text, "requestId" text, "clientRequestId" text, "previousHash" text, hash text)`;

const STATE = `
  SELECT coalesce(sum(length), 0)::float AS entries,
         coalesce(extract(epoch FROM now() - min(unsigned.timestamp)), 0)::float AS age
    FROM chains c LEFT JOIN LATERAL (
      SELECT e.timestamp FROM audit_entries e WHERE e.chain = c.chain AND e.sequence = c.checkpointed_length + 1
        AND c.length > c.checkpointed_length
    ) unsigned ON true`;
const PREPARE_MONTHS = 'SELECT prepare_months()';

/**
 * The ends of the chains. Appending locks the chain's row, so batches for one chain are written one after the other.
 */
export class ChainsRepository {
  /** Locks a chain until the transaction ends; creates it if it does not exist yet. */
  async lock(tx: Tx, chain: string): Promise<Chain> {
    const found = (await tx.one<Chain>(LOCK, [chain])) ?? (await this.open(tx, chain));
    if (!found) throw new Error(`the chain ${chain} cannot be locked`);
    return found;
  }

  /**
   * Locks chains that have grown since their last checkpoint, in name order from `after` on, and skips those that
   * another replica has locked.
   */
  lockGrown(tx: Tx, limit: number, after: string): Promise<Chain[]> {
    return tx.query<Chain>(LOCK_GROWN, [limit, after]);
  }

  find(reader: Reader, chain: string): Promise<Chain | null> {
    return reader.one<Chain>(FIND, [chain]);
  }

  /** Returns the hash of one entry, or null if the chain has no such entry. */
  async hashAt(reader: Reader, chain: string, sequence: number): Promise<string | null> {
    return (await reader.one<{ hash: string }>(HASH_AT, [chain, sequence]))?.hash ?? null;
  }

  all(reader: Reader): Promise<Chain[]> {
    return reader.query<Chain>(ALL);
  }

  async append(tx: Tx, chain: string, entries: readonly AuditLogEntry[], end: ChainEnd): Promise<void> {
    await Promise.all([tx.query(APPEND, [JSON.stringify(entries)]), tx.query(ADVANCE, [chain, end.length, end.head])]);
  }

  async noteCheckpoint(tx: Tx, { chain, length }: Chain): Promise<void> {
    await tx.query(NOTE_CHECKPOINT, [chain, length]);
  }

  /** The number of all entries, and the age in seconds of the oldest that no checkpoint covers. */
  state(reader: Reader): Promise<{ entries: number; age: number } | null> {
    return reader.one<{ entries: number; age: number }>(STATE);
  }

  /** Creates the partitions of the coming months. */
  async prepareMonths(tx: Tx): Promise<void> {
    await tx.query(PREPARE_MONTHS);
  }

  private async open(tx: Tx, chain: string): Promise<Chain | null> {
    await tx.query(OPEN, [chain, chain === SYSTEM_CHAIN ? null : chain, GENESIS]);
    return tx.one<Chain>(LOCK, [chain]);
  }
}
