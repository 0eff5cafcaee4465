import type { ExpiryKind } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ofOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import type { SsoProvider } from '../configuration/store/sso-provider.entity.ts';

const ORG = { type: 'uuid', nullable: true } as const;

/** An alert that was sent, once for each value. */
@Entity('sso_expiry_alerts')
export class ExpiryAlertEntity {
  @PrimaryColumn('uuid') providerId!: string;
  @Column('uuid') partnerId!: string;
  @Column(ORG) orgId!: string | null;
  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('timestamptz') expiresAt!: Date;
  @PrimaryColumn('integer') days!: number;
  @Column('timestamptz', { default: () => 'now()' }) noticedAt!: Date;
}

/** How the administrators of an owner are told about its providers. */
@Entity('sso_settings')
export class SsoSettingsEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column(ORG) orgId!: string | null;
  @Column('boolean', { default: () => 'false' }) renewLinkInAlerts!: boolean;
}

/** What runs out: the kind, or `metadata` for an address that fails since that time. */
export interface NoticedValue {
  readonly kind: ExpiryKind | 'metadata';
  readonly expiresAt: Date;
}

const WATCHED = `
  SELECT p.* FROM sso_providers p
   WHERE p.status <> 'inactive' AND (p.certificate IS NOT NULL OR p.client_secret_expires_at IS NOT NULL)
     AND ${ofOpenOwner('p')}`;
const NOTE = `
  INSERT INTO sso_expiry_alerts (provider_id, partner_id, org_id, kind, expires_at, days)
  SELECT $1, $2, $3, $4, $5, unnest($6::integer[]) ON CONFLICT DO NOTHING RETURNING days`;
const OF_OWNER = 'partner_id = $1 AND org_id IS NOT DISTINCT FROM $2::uuid';
const SET = `
  INSERT INTO sso_settings (id, partner_id, org_id, renew_link_in_alerts) VALUES ($3, $1, $2, $4)
  ON CONFLICT ON CONSTRAINT sso_settings_once_per_owner DO UPDATE SET renew_link_in_alerts = EXCLUDED.renew_link_in_alerts`;

@Injectable()
export class ExpiriesRepository {
  /** The clock that decides: that of the database. */
  async now(reader: Reader): Promise<Date> {
    return (await reader.one<{ now: Date }>('SELECT now() AS now'))?.now ?? new Date();
  }

  /** The providers in use whose certificate or secret can run out. */
  watched(reader: Reader): Promise<SsoProvider[]> {
    return reader.query<SsoProvider>(WATCHED);
  }

  /** Records alerts. @returns the days of those that are new */
  async note(
    tx: Tx,
    { id, partnerId, orgId }: SsoProvider,
    { kind, expiresAt }: NoticedValue,
    days: readonly number[],
  ): Promise<number[]> {
    const rows = await tx.query<{ days: number }>(NOTE, [id, partnerId, orgId, kind, expiresAt, days]);
    return rows.map((row) => row.days);
  }

  async renewLinkInAlerts(reader: Reader, { partnerId, orgId }: Owner): Promise<boolean> {
    const sql = `SELECT renew_link_in_alerts AS wanted FROM sso_settings WHERE ${OF_OWNER}`;
    return (await reader.one<{ wanted: boolean }>(sql, [partnerId, orgId]))?.wanted ?? false;
  }

  async setRenewLinkInAlerts(tx: Tx, { partnerId, orgId }: Owner, wanted: boolean): Promise<void> {
    await tx.query(SET, [partnerId, orgId, newId(), wanted]);
  }
}
