import type { SiteResponse } from '@gatehouse/contracts-tenancy';

export const SITE_COLUMNS = 'id, org_id, name, timezone, address, contact, settings, created_at, updated_at';

/** What statements on sites return: the record, and what its event needs. */
export interface SiteRow extends SiteResponse {
  readonly partnerId: string;
  readonly version: number;
}

export const siteView = ({ partnerId: _, version: __, ...site }: SiteRow): SiteResponse => site;
