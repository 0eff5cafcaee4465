import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';

/** The statuses that a request may set directly; only operations (archive, merge, purge) set the others. */
export const SETTABLE_AT_CREATE: readonly OrganizationStatus[] = ['active', 'suspended', 'trial', 'churned'];
export const SETTABLE_AT_UPDATE: readonly OrganizationStatus[] = [...SETTABLE_AT_CREATE, 'offboarding'];
