import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';

/**
 * Returns the order to store: each wanted id that exists, once, then the others in the order of their registration
 * (TEN-09).
 * @param registered ids of the organisations that exist, oldest first
 */
export function organizationOrder(wanted: readonly string[], registered: readonly string[]): string[] {
  const existing = new Set(registered);
  const chosen = new Set(wanted.map((id) => id.toLowerCase()).filter((id) => existing.has(id)));
  return [...chosen, ...registered.filter((id) => !chosen.has(id))];
}

/** The statuses that a request may set directly; only operations (archive, merge, purge) set the others. */
export const SETTABLE_AT_CREATE: readonly OrganizationStatus[] = ['active', 'suspended', 'trial', 'churned'];
export const SETTABLE_AT_UPDATE: readonly OrganizationStatus[] = [...SETTABLE_AT_CREATE, 'offboarding'];
