import type { SiteResponse } from '@gatehouse/contracts-tenancy';

export const SITE_COLUMNS = 'id, org_id, name, timezone, address, contact, settings, created_at, updated_at';

/** The columns that statements on sites return: the record, and the version for its event. */
export interface SiteRow extends SiteResponse {
  readonly partnerId: string;
  readonly version: number;
}

export const siteView = ({ partnerId: _, version: __, ...site }: SiteRow): SiteResponse => site;
