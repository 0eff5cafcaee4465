import type {
  OrganizationState,
  OrganizationStatus,
  PartnerState,
  PartnerStatus,
  SiteState,
} from '@gatehouse/contracts-tenancy';
import { tenantPolicy, type Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partner as tenancy last published it. */
@Entity('partner_ref')
export class PartnerRefEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text') status!: PartnerStatus;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

/** An organisation as tenancy last published it. */
@Entity('org_ref')
export class OrgRefEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('text') status!: OrganizationStatus;
  @Column('boolean') deleted!: boolean;
  /** The survivor of the merge that ended this organisation. */
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  @Column('bigint') version!: number;
}

/** A site as tenancy last published it. */
@Entity('site_ref')
export class SiteRefEntity {
  @PrimaryColumn('uuid') siteId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

export const TENANT_REF_ENTITIES = [PartnerRefEntity, OrgRefEntity, SiteRefEntity] as const;

/** SQL that creates the tables. No foreign keys, because events of different aggregates arrive in any order. */
export const TENANT_REFS = `
  CREATE TABLE partner_ref (
    partner_id uuid PRIMARY KEY,
    name text NOT NULL,
    slug text NOT NULL,
    status text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  ${tenantPolicy({ table: 'partner_ref', orgColumn: null })}

  CREATE TABLE org_ref (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    deleted boolean NOT NULL,
    merged_into_id uuid,
    version bigint NOT NULL
  );
  ${tenantPolicy({ table: 'org_ref', orgColumn: 'org_id' })}

  CREATE TABLE site_ref (
    site_id uuid PRIMARY KEY,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  ${tenantPolicy({ table: 'site_ref', orgColumn: 'org_id' })}`;

/**
 * SQL of an upsert that applies only newer versions, so that redelivered or reordered events cannot restore an old
 * state. The first column is the key.
 */
export function upsertNewer(table: string, columns: readonly string[]): string {
  const places = columns.map((_, at) => `$${at + 1}`);
  const changes = columns.slice(1).map((column) => `${column} = EXCLUDED.${column}`);
  return `INSERT INTO ${table} AS t (${columns.join(', ')}) VALUES (${places.join(', ')})
    ON CONFLICT (${columns[0]}) DO UPDATE SET ${changes.join(', ')} WHERE t.version < EXCLUDED.version
      RETURNING t.${columns[0]}`;
}

const PARTNER = upsertNewer('partner_ref', ['partner_id', 'name', 'slug', 'status', 'deleted', 'version']);
const ORG = upsertNewer('org_ref', ['org_id', 'partner_id', 'name', 'status', 'deleted', 'merged_into_id', 'version']);
const SITE = upsertNewer('site_ref', ['site_id', 'org_id', 'partner_id', 'name', 'deleted', 'version']);
const IS_GONE = `SELECT FROM org_ref WHERE org_id = $1 AND (deleted OR status = 'purging')`;

/** Partners, organisations and sites in the database of a service that needs them for its own checks. */
export class TenantRefs {
  /** @returns whether the state was newer than the stored one */
  async savePartner(tx: Tx, { partnerId, name, slug, status, deleted, version }: PartnerState): Promise<boolean> {
    return (await tx.one(PARTNER, [partnerId, name, slug, status, deleted, version])) !== null;
  }

  /** @returns whether the state was newer than the stored one */
  async saveOrganization(
    tx: Tx,
    { orgId, partnerId, name, status, deleted, mergedIntoId, version }: OrganizationState,
  ): Promise<boolean> {
    return (await tx.one(ORG, [orgId, partnerId, name, status, deleted, mergedIntoId, version])) !== null;
  }

  async saveSite(tx: Tx, { siteId, orgId, partnerId, name, deleted, version }: SiteState): Promise<void> {
    await tx.query(SITE, [siteId, orgId, partnerId, name, deleted, version]);
  }

  /** Whether the organisation is deleted or being purged, so that late events about its resources are ignored. */
  async isGone(tx: Tx, orgId: string): Promise<boolean> {
    return (await tx.one(IS_GONE, [orgId])) !== null;
  }
}
