import type { ElevationRequest } from '../../ui/elevation/request.ts';

export const SOURCES = ['software_policy', 'pam_rule', 'human', 'org_default'] as const;
/** What earlier requests share with one, and what became of them. */
export const SHARED = ['file', 'device', 'user'] as const;
export const OUTCOMES = ['approved', 'auto_approved', 'denied', 'expired'] as const;
export const SORTS = [
  'requestedAt',
  '-requestedAt',
  'deviceHostname',
  '-deviceHostname',
  'subjectUsername',
  '-subjectUsername',
  'expiresAt',
  '-expiresAt',
] as const;

interface Ordered {
  readonly status?: readonly ElevationRequest['status'][];
  readonly sort?: (typeof SORTS)[number];
}

const OPEN: readonly ElevationRequest['status'][] = ['pending', 'approved', 'auto_approved', 'actuating'];

/** The server sorts by more than the time only where all requests of the list are open. */
export const isOpenOnly = ({ status }: Ordered): boolean => status?.every((one) => OPEN.includes(one)) ?? false;

/** The order that the server can give; an address may ask for another one. */
export const sortOf = (filter: Ordered): Ordered['sort'] =>
  isOpenOnly(filter) || filter.sort?.endsWith('requestedAt') ? filter.sort : undefined;
