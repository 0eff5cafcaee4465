import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import type { OrganizationRow } from './organizations.repository.ts';

export const organizationView = (organization: OrganizationRow): OrganizationResponse => ({
  id: organization.id,
  partnerId: organization.partnerId,
  name: organization.name,
  slug: organization.slug,
  type: organization.type,
  status: organization.status,
  maxDevices: organization.maxDevices,
  settings: organization.settings,
  ssoConfig: organization.ssoConfig,
  billingContact: organization.billingContact,
  contractStart: organization.contractStart,
  contractEnd: organization.contractEnd,
  archivedAt: organization.archivedAt,
  purgeAt: organization.purgeAt,
  mergedIntoId: organization.mergedIntoId,
  version: organization.version,
  createdAt: organization.createdAt,
  updatedAt: organization.updatedAt,
  deletedAt: organization.deletedAt,
});
