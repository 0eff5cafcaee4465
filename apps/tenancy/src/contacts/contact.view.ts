import type { ContactResponse } from '@gatehouse/contracts-tenancy';
import type { ContactRow } from './contacts.repository.ts';

export const contactView = (contact: ContactRow): ContactResponse => ({
  id: contact.id,
  orgId: contact.orgId,
  siteId: contact.siteId,
  name: contact.name,
  email: contact.email,
  phone: contact.phone,
  mobile: contact.mobile,
  title: contact.title,
  roles: contact.roles,
  isPrimary: contact.isPrimary,
  notes: contact.notes,
  externalSystem: contact.externalSystem,
  externalId: contact.externalId,
  createdAt: contact.createdAt,
  updatedAt: contact.updatedAt,
});
