import type { SiteResponse } from '@gatehouse/contracts-tenancy';
import type { SiteRow } from './sites.repository.ts';

export const siteView = (site: SiteRow): SiteResponse => ({
  id: site.id,
  orgId: site.orgId,
  name: site.name,
  timezone: site.timezone,
  address: site.address,
  contact: site.contact,
  settings: site.settings,
  createdAt: site.createdAt,
  updatedAt: site.updatedAt,
});
