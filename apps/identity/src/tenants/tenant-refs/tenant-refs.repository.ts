import { ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import {
  FROZEN_STATUSES,
  type OrganizationState,
  type OrganizationStatus,
  type PartnerState,
  type PartnerStatus,
  type SiteState,
} from '@gatehouse/contracts-tenancy';
import { type Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What identity knows about a partner: a read model of tenancy's partners. */
@Entity('partner_ref')
export class PartnerRefEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text') status!: PartnerStatus;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

/** What identity knows about an organisation: a read model of tenancy's organisations. */
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

/** What identity knows about a site: a read model of tenancy's sites. */
@Entity('site_ref')
export class SiteRefEntity {
  @PrimaryColumn('uuid') siteId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

const UPSERT_PARTNER = `
  INSERT INTO partner_ref AS known (partner_id, name, slug, status, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (partner_id) DO UPDATE SET name = EXCLUDED.name, slug = EXCLUDED.slug, status = EXCLUDED.status,
    deleted = EXCLUDED.deleted, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version RETURNING partner_id`;
const UPSERT_ORGANIZATION = `
  INSERT INTO org_ref AS known (org_id, partner_id, name, status, deleted, merged_into_id, version)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (org_id) DO UPDATE SET name = EXCLUDED.name, status = EXCLUDED.status, deleted = EXCLUDED.deleted,
    merged_into_id = EXCLUDED.merged_into_id, version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version RETURNING org_id`;
const UPSERT_SITE = `
  INSERT INTO site_ref AS known (site_id, org_id, partner_id, name, deleted, version) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (site_id) DO UPDATE SET org_id = EXCLUDED.org_id, name = EXCLUDED.name, deleted = EXCLUDED.deleted,
    version = EXCLUDED.version
   WHERE known.version < EXCLUDED.version`;
const IS_ARCHIVED = `SELECT FROM org_ref WHERE org_id = $1 AND status = 'archived'`;
const IS_GONE = `SELECT FROM org_ref WHERE org_id = $1 AND (deleted OR status = 'purging')`;
const IS_FROZEN = `
  SELECT FROM org_ref o LEFT JOIN partner_ref p ON p.partner_id = o.partner_id
   WHERE o.org_id = $1 AND (o.deleted OR o.status = ANY ($2::text[]) OR p.deleted)`;
const ORGANIZATIONS = 'SELECT org_id, partner_id, status FROM org_ref WHERE org_id = ANY ($1::uuid[]) AND NOT deleted';
const PARTNER = 'SELECT partner_id FROM partner_ref WHERE partner_id = $1 AND NOT deleted';
const COUNT_SITES = `
  SELECT count(*) AS count FROM site_ref WHERE site_id = ANY ($1::uuid[]) AND org_id = $2 AND NOT deleted`;

export type KnownOrganization = Pick<OrgRefEntity, 'orgId' | 'partnerId' | 'status'>;

/** Partners, organisations and sites as identity knows them. An older version never replaces a newer one. */
@Injectable()
export class TenantRefsRepository {
  /** @returns whether the state was newer than the stored one */
  async upsertPartner(tx: Tx, { partnerId, name, slug, status, deleted, version }: PartnerState): Promise<boolean> {
    return (await tx.one(UPSERT_PARTNER, [partnerId, name, slug, status, deleted, version])) !== null;
  }

  /** @returns whether the state was newer than the stored one */
  async upsertOrganization(tx: Tx, state: OrganizationState): Promise<boolean> {
    const { orgId, partnerId, name, status, deleted, mergedIntoId, version } = state;
    const parameters = [orgId, partnerId, name, status, deleted, mergedIntoId, version];
    return (await tx.one(UPSERT_ORGANIZATION, parameters)) !== null;
  }

  async upsertSite(tx: Tx, { siteId, orgId, partnerId, name, deleted, version }: SiteState): Promise<void> {
    await tx.query(UPSERT_SITE, [siteId, orgId, partnerId, name, deleted, version]);
  }

  async isArchived(tx: Tx, orgId: string): Promise<boolean> {
    return (await tx.one(IS_ARCHIVED, [orgId])) !== null;
  }

  /** Whether the organisation is deleted or being purged. */
  async isGone(tx: Tx, orgId: string): Promise<boolean> {
    return (await tx.one(IS_GONE, [orgId])) !== null;
  }

  /** The existing organisations among these, in any tenant. */
  organizations(reader: Reader, orgIds: readonly string[]): Promise<KnownOrganization[]> {
    return reader.query<KnownOrganization>(ORGANIZATIONS, [orgIds]);
  }

  async hasPartner(reader: Reader, partnerId: string | null): Promise<boolean> {
    return (await reader.one(PARTNER, [partnerId])) !== null;
  }

  async countSites(reader: Reader, orgId: string | null, siteIds: readonly string[]): Promise<number> {
    return (await reader.one<{ count: number }>(COUNT_SITES, [siteIds, orgId]))?.count ?? 0;
  }
}

/** SQL condition: the row belongs to no deleted organisation. */
export const ofLiving = (orgColumn: string): string =>
  `NOT EXISTS (SELECT FROM org_ref gone WHERE gone.org_id = ${orgColumn} AND gone.deleted)`;

type Columns = Readonly<Record<'partner' | 'org', string>>;

/** As {@link scoped}; besides, the system alone finds what belongs to a deleted organisation (TEN-08). */
export function livingWithin(scope: TenantScope, columns: Columns, bound: readonly (string | null)[] = []): Conditions {
  const found = scoped(scope, columns, bound);
  return scope.partner === 'all' ? found : found.raw(ofLiving(columns.org));
}

/**
 * @throws ProblemError organization_frozen for an organisation that is archived, merging, being purged or deleted, or
 * whose partner is deleted: nothing below it may change
 */
export async function requireNotFrozen(reader: Reader, orgId: string | null): Promise<void> {
  if (await isFrozen(reader, orgId))
    throw new ProblemError('organization_frozen', 'This organisation cannot be changed at the moment.');
}

export async function isFrozen(reader: Reader, orgId: string | null): Promise<boolean> {
  return orgId !== null && (await reader.one(IS_FROZEN, [orgId, FROZEN_STATUSES])) !== null;
}
