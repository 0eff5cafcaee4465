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
