import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';

/** Which statuses a request may set by itself; the rest come about only by their operations (archive, merge, purge). */
export const SETTABLE_AT_CREATE: readonly OrganizationStatus[] = ['active', 'suspended', 'trial', 'churned'];
export const SETTABLE_AT_UPDATE: readonly OrganizationStatus[] = [...SETTABLE_AT_CREATE, 'offboarding'];
