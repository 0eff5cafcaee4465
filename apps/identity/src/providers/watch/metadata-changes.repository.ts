import type { MetadataChangeStatus, MetadataReason } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ofOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { SsoProvider } from '../configuration/store/sso-provider.entity.ts';

const TIME = { type: 'timestamptz', nullable: true } as const;

/** The settings that metadata describe. */
export interface DescribedSettings {
  readonly entityId: string | null;
  readonly ssoUrl: string | null;
  /** In PEM, in order of their fingerprints, so that equal sets are equal. */
  readonly certificates: readonly string[];
}

/** A difference between a provider's metadata and its settings. */
@Entity('sso_metadata_changes')
export class MetadataChangeEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') providerId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') status!: MetadataChangeStatus;
  @Column('text') reason!: MetadataReason;
  @Column('jsonb') before!: DescribedSettings;
  @Column('jsonb') after!: DescribedSettings;
  @Column('timestamptz', { default: () => 'now()' }) detectedAt!: Date;
  @Column(TIME) settledAt!: Date | null;
  @Column('uuid', { nullable: true }) settledBy!: string | null;
}

export type NewMetadataChange = Pick<MetadataChangeEntity, 'status' | 'reason' | 'before' | 'after'>;

const SELECT = 'SELECT c.* FROM sso_metadata_changes c';
const INSERT = `
  INSERT INTO sso_metadata_changes (id, provider_id, partner_id, org_id, status, reason, before, after, settled_at)
  VALUES ($1, $2, $3, $4, $5::text, $6, $7::jsonb, $8::jsonb, CASE WHEN $5::text = 'held' THEN NULL ELSE now() END)
  RETURNING *`;
const SETTLE = `
  UPDATE sso_metadata_changes SET status = $2, settled_at = now(), settled_by = $3 WHERE id = $1 RETURNING *`;
const SHOW_PENDING = 'UPDATE sso_providers SET pending_change_id = $2 WHERE id = $1';
const DECIDE = `
  UPDATE sso_providers SET decided_certificates = (SELECT coalesce(array_agg(DISTINCT one), '{}')
      FROM unnest(decided_certificates || $2::text[]) AS one)
   WHERE id = $1`;
/** A sign-in that is under way goes on under the new generation. */
const CARRY = ['sso_login_sessions', 'sso_saml_results'].map(
  (table) => `UPDATE ${table} SET config_version = $3 WHERE provider_id = $1 AND config_version = $2`,
);
/** With jitter, so that many providers are not read at once. No other replica takes the same. */
const TAKE_DUE = `
  UPDATE sso_providers q SET metadata_due_at = now() + make_interval(hours => $1) * (0.9 + 0.2 * random())
   WHERE id IN (SELECT p.id FROM sso_providers p
                 WHERE p.type = 'saml' AND p.status <> 'inactive' AND p.metadata_url IS NOT NULL AND ${ofOpenOwner('p')}
                   AND coalesce(p.metadata_due_at, '-infinity') <= now()
                 ORDER BY p.metadata_due_at NULLS FIRST LIMIT 20 FOR UPDATE SKIP LOCKED)
  RETURNING q.*`;
const CHECKED = `
  UPDATE sso_providers SET metadata_checked_at = now(), metadata_error = $2,
      metadata_failed_since = CASE WHEN $2::text IS NULL THEN NULL ELSE coalesce(metadata_failed_since, now()) END
   WHERE id = $1 RETURNING metadata_failed_since AS since, metadata_failed_since < now() - interval '3 days' AS lasting`;

@Injectable()
export class MetadataChangesRepository {
  list(reader: Reader, providerId: string): Promise<MetadataChangeEntity[]> {
    return reader.query<MetadataChangeEntity>(`${SELECT} WHERE c.provider_id = $1 ORDER BY c.id DESC LIMIT 50`, [
      providerId,
    ]);
  }

  find(reader: Reader, id: string): Promise<MetadataChangeEntity | null> {
    return reader.one<MetadataChangeEntity>(`${SELECT} WHERE c.id = $1`, [id]);
  }

  /** The change that waits for approval. */
  held(reader: Reader, providerId: string): Promise<MetadataChangeEntity | null> {
    return reader.one<MetadataChangeEntity>(`${SELECT} WHERE c.provider_id = $1 AND c.status = 'held'`, [providerId]);
  }

  /** Whether a person dismissed this very difference. */
  async isDismissed(reader: Reader, providerId: string, { before, after }: NewMetadataChange): Promise<boolean> {
    const sql = `${SELECT} WHERE c.provider_id = $1 AND c.status = 'dismissed' AND c.before = $2::jsonb
      AND c.after = $3::jsonb LIMIT 1`;
    return (await reader.one(sql, [providerId, JSON.stringify(before), JSON.stringify(after)])) !== null;
  }

  /** Stores a change, which becomes the one that waits for approval if it is held. */
  async insert(
    tx: Tx,
    { id: providerId, partnerId, orgId }: SsoProvider,
    { status, reason, before, after }: NewMetadataChange,
  ): Promise<MetadataChangeEntity> {
    const [old, fresh] = [before, after].map((one) => JSON.stringify(one));
    const values = [newId(), providerId, partnerId, orgId, status, reason, old, fresh];
    const change = await tx.one<MetadataChangeEntity>(INSERT, values);
    if (!change) throw new Error('the change of metadata was not stored');
    if (status === 'held') await tx.query(SHOW_PENDING, [providerId, change.id]);
    return change;
  }

  async settle(
    tx: Tx,
    { id, providerId, status: was }: MetadataChangeEntity,
    status: MetadataChangeStatus,
    settledBy: string,
  ): Promise<MetadataChangeEntity> {
    if (was === 'held') await tx.query(SHOW_PENDING, [providerId, null]);
    const change = await tx.one<MetadataChangeEntity>(SETTLE, [id, status, settledBy]);
    if (!change) throw new Error('the change of metadata was not settled');
    return change;
  }

  /** Remembers the certificates (SHA-256) about which a person decided. */
  async decide(tx: Tx, providerId: string, certificates: readonly string[]): Promise<void> {
    await tx.query(DECIDE, [providerId, certificates]);
  }

  /** Lets sign-ins that are under way end under the new generation. */
  async carryAttempts(tx: Tx, before: SsoProvider, after: SsoProvider): Promise<void> {
    for (const sql of CARRY) await tx.query(sql, [before.id, before.configVersion, after.configVersion]);
  }

  takeDue(tx: Tx, hours: number): Promise<SsoProvider[]> {
    return tx.query<SsoProvider>(TAKE_DUE, [hours]);
  }

  /** Locks the provider; null when it was deleted. */
  async lock(tx: Tx, id: string): Promise<{ readonly provider: SsoProvider; readonly now: Date } | null> {
    const row = await tx.one<SsoProvider & { now: Date }>(
      'SELECT p.*, now() AS now FROM sso_providers p WHERE p.id = $1 FOR UPDATE',
      [id],
    );
    if (!row) return null;
    const { now, ...provider } = row;
    return { provider, now };
  }

  /** Records a check. @returns since when checks fail, and whether for more than three days */
  async checked(tx: Tx, id: string, error: string | null): Promise<{ since: Date | null; lasting: boolean | null }> {
    const state = await tx.one<{ since: Date | null; lasting: boolean | null }>(CHECKED, [id, error]);
    return state ?? { since: null, lasting: null };
  }
}
