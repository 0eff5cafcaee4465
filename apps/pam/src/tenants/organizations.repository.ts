import {
  type ElevationFigures,
  FROZEN_STATUSES,
  HIDDEN_STATUSES,
  type OrganizationFigures,
  type OrganizationStatus,
} from '@gatehouse/contracts-tenancy';
import { Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ProblemError, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import { lockRulebook } from '@gatehouse/pam-store';
import { requireSite } from './require-place.ts';

export interface Organization {
  readonly orgId: string;
  readonly partnerId: string;
  readonly status: OrganizationStatus;
}

/** Condition for changes: the system still reads below a deleted partner. */
const OF_LIVING_PARTNER = 'NOT EXISTS (SELECT FROM partner_ref p WHERE p.partner_id = o.partner_id AND p.deleted)';
const IS_LISTED = `NOT o.deleted AND o.status NOT IN ('archived', 'purging')`;

const notFound = (): ProblemError => new ProblemError('organization_not_found');

/** The organisations in the caller's reach, from the read model of tenancy. */
@Injectable()
export class OrganizationsRepository {
  /**
   * Returns the organisation that a request is about: the one named, or the only one in reach (decisions, "several
   * organisations in reach").
   */
  async resolve(
    reader: Reader,
    caller: UserCaller,
    orgId: string | undefined,
    condition = 'TRUE',
  ): Promise<Organization> {
    const own = orgId ?? caller.orgId ?? undefined;
    const within = scoped(caller.scope, { partner: 'o.partner_id', org: 'o.org_id' })
      .add('o.org_id = ?', own)
      .raw(own === undefined ? IS_LISTED : 'NOT o.deleted')
      .raw(condition);
    const found = await reader.query<Organization>(
      `SELECT o.org_id, o.partner_id, o.status FROM org_ref o ${within.where} LIMIT 2`,
      within.parameters,
    );
    if (own === undefined && found.length !== 1)
      throw new ProblemError('org_required', 'Specify the organisation with orgId.');
    const [organization] = found;
    if (!organization) throw notFound();
    return organization;
  }

  /** @throws ProblemError organization_frozen, in addition to those of {@link resolve} */
  async resolveWritable(tx: Tx, caller: UserCaller, orgId: string | undefined): Promise<Organization> {
    const organization = await this.resolve(tx, caller, orgId, OF_LIVING_PARTNER);
    if (FROZEN_STATUSES.includes(organization.status))
      throw new ProblemError('organization_frozen', `This organisation is ${organization.status} and read-only.`);
    return organization;
  }

  async requirePartner(reader: Reader, { scope }: UserCaller, partnerId: string): Promise<void> {
    const within = scoped(scope, { partner: 'partner_id' }, [partnerId]);
    const found = await reader.one(
      `SELECT FROM partner_ref WHERE partner_id = $1 AND NOT deleted ${within.and}`,
      within.parameters,
    );
    if (!found) throw new ProblemError('partner_not_found');
  }

  /**
   * Returns the organisation whose settings the caller changes, and holds its rulebook until the transaction ends:
   * settings that were never made have no row to lock.
   * @throws ProblemError site_access_denied, in addition to those of {@link resolveWritable}
   */
  async lockSettings(tx: Tx, caller: UserCaller, orgId: string | undefined): Promise<Organization> {
    const organization = await this.resolveWritable(tx, caller, orgId);
    requireSite(caller, null);
    await lockRulebook(tx, organization);
    return organization;
  }

  async siteIds(reader: Reader, { orgId }: Pick<Organization, 'orgId'>): Promise<string[]> {
    const rows = await reader.query<{ siteId: string }>(
      'SELECT site_id FROM site_ref WHERE org_id = $1 AND NOT deleted',
      [orgId],
    );
    return rows.map(({ siteId }) => siteId);
  }

  /** @param siteId null for the whole organisation @throws ProblemError site_not_in_org */
  async requireOwnSite(
    reader: Reader,
    { orgId }: { readonly orgId: string | null },
    siteId: string | null,
  ): Promise<void> {
    if (siteId === null) return;
    const found = await reader.one('SELECT FROM site_ref WHERE site_id = $1 AND org_id = $2 AND NOT deleted', [
      siteId,
      orgId,
    ]);
    if (!found) throw new ProblemError('site_not_in_org', 'The site does not belong to the organisation.');
  }
}

/** Rows of the organisations in reach and of the whole partner, which every caller of the partner may see. */
export function ownedInReach({ partner, orgs }: TenantScope): Conditions {
  const conditions = new Conditions();
  if (partner === null) return conditions.raw('FALSE');
  if (partner !== 'all') conditions.add('partner_id = ?::uuid', partner);
  if (orgs !== 'all') conditions.add('(org_id IS NULL OR org_id = ANY (?::uuid[]))', [...orgs]);
  return conditions;
}

/**
 * Reads the index of open requests, so the cost does not grow with the history. Requests of a hidden organisation are
 * in no count.
 */
const COUNT = `
  SELECT r.org_id, count(*) FILTER (WHERE r.status = 'pending' AND coalesce(r.pending_until > now(), true)) AS waiting,
         count(*) FILTER (WHERE r.status <> 'pending' AND r.expires_at > now()) AS active
    FROM org_ref o JOIN elevation_requests r ON r.org_id = o.org_id
   WHERE o.org_id = ANY ($1::uuid[]) AND NOT o.deleted AND o.status <> ALL ($2::text[])
     AND r.status IN ('pending', 'approved', 'auto_approved', 'actuating')
   GROUP BY r.org_id`;

@Injectable()
export class OrganizationFiguresRepository {
  /** Organisations without open requests are missing. */
  count(
    reader: Reader,
    orgIds: readonly string[],
  ): Promise<OrganizationFigures<ElevationFigures>['figures'][number][]> {
    return reader.query(COUNT, [orgIds, HIDDEN_STATUSES]);
  }
}
