import { ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import { type Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { type OrgRefEntity, TenantRefs } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';

const IS_ARCHIVED = `SELECT FROM org_ref WHERE org_id = $1 AND status = 'archived'`;
const IS_FROZEN = `
  SELECT FROM org_ref o LEFT JOIN partner_ref p ON p.partner_id = o.partner_id
   WHERE o.org_id = $1 AND (o.deleted OR o.status = ANY ($2::text[]) OR p.deleted)`;
const ORGANIZATIONS = 'SELECT org_id, partner_id, status FROM org_ref WHERE org_id = ANY ($1::uuid[]) AND NOT deleted';
const IS_DELETED_PARTNER = 'SELECT FROM partner_ref WHERE partner_id = $1 AND deleted';
const PARTNER = 'SELECT partner_id FROM partner_ref WHERE partner_id = $1 AND NOT deleted';
const COUNT_SITES = `
  SELECT count(*) AS count FROM site_ref WHERE site_id = ANY ($1::uuid[]) AND org_id = $2 AND NOT deleted`;

export type KnownOrganization = Pick<OrgRefEntity, 'orgId' | 'partnerId' | 'status'>;

/** Partners, organisations and sites as identity knows them. */
@Injectable()
export class TenantRefsRepository extends TenantRefs {
  async isArchived(tx: Tx, orgId: string): Promise<boolean> {
    return (await tx.one(IS_ARCHIVED, [orgId])) !== null;
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

/** SQL condition: the owner of the row is neither frozen nor deleted. */
export const ofOpenOwner = (row: string): string => `EXISTS (
  SELECT FROM partner_ref t WHERE t.partner_id = ${row}.partner_id AND NOT t.deleted)
     AND (${row}.org_id IS NULL OR EXISTS (SELECT FROM org_ref o WHERE o.org_id = ${row}.org_id AND NOT o.deleted
       AND o.status NOT IN ('archived', 'merging', 'purging')))`;

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

/**
 * @throws ProblemError as {@link requireNotFrozen}; partner_not_found for what belongs to a deleted partner itself
 */
export async function requireOpenOwner(
  reader: Reader,
  { partnerId, orgId }: { readonly partnerId: string | null; readonly orgId: string | null },
): Promise<void> {
  await requireNotFrozen(reader, orgId);
  if (orgId === null && (await reader.one(IS_DELETED_PARTNER, [partnerId])))
    throw new ProblemError('partner_not_found');
}

export async function isFrozen(reader: Reader, orgId: string | null): Promise<boolean> {
  return orgId !== null && (await reader.one(IS_FROZEN, [orgId, FROZEN_STATUSES])) !== null;
}
