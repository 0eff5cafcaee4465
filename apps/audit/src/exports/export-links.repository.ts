import type { Reader, Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditExportQuery } from '../log/audit-log.dto.ts';

/** The address of one export: it works once, for a minute, while the credential of its author is valid. */
@Entity('export_links')
export class ExportLinkEntity {
  /** SHA-256 in hex of the token in the address. */
  @PrimaryColumn('text') tokenHash!: string;
  /** Null for an author of the system. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  /** The session that asked for it; null for an API key. */
  @Column('uuid', { nullable: true }) sessionId!: string | null;
  @Column('uuid', { nullable: true }) apiKeyId!: string | null;
  /** What to export. */
  @Column('jsonb') query!: AuditExportQuery;
  @Column('timestamptz', { default: () => "now() + interval '60 seconds'" }) expiresAt!: Date;
}

export type NewExportLink = Omit<ExportLinkEntity, 'expiresAt'>;
export type ExportLink = Pick<ExportLinkEntity, 'sessionId' | 'apiKeyId' | 'query'>;

const DELETE_EXPIRED = 'DELETE FROM export_links WHERE expires_at <= now()';
const INSERT = `
  INSERT INTO export_links (token_hash, partner_id, session_id, api_key_id, query) VALUES ($1, $2, $3, $4, $5::jsonb)`;
const FIND = 'SELECT session_id, api_key_id, query FROM export_links WHERE token_hash = $1 AND expires_at > now()';
const CONSUME = 'DELETE FROM export_links WHERE token_hash = $1 AND expires_at > now() RETURNING token_hash';

/** The addresses of exports that were not used yet. */
export class ExportLinksRepository {
  /** Also deletes those of the same partner that have expired. */
  async insert(tx: Tx, { tokenHash, partnerId, sessionId, apiKeyId, query }: NewExportLink): Promise<void> {
    await tx.query(DELETE_EXPIRED);
    await tx.query(INSERT, [tokenHash, partnerId, sessionId, apiKeyId, JSON.stringify(query)]);
  }

  find(reader: Reader, tokenHash: string): Promise<ExportLink | null> {
    return reader.one<ExportLink>(FIND, [tokenHash]);
  }

  /** @returns whether it was still there: of several uses at once, one gets true */
  async consume(statement: Reader, tokenHash: string): Promise<boolean> {
    return (await statement.one(CONSUME, [tokenHash])) !== null;
  }
}
