import type { DataOf } from '@gatehouse/client';

export type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];

export const RESULTS = ['success', 'failure', 'denied'] as const;

/** The kinds of things that most entries are about. */
export const KINDS = [
  'pam.elevation_request',
  'pam.rule',
  'pam.freeze',
  'pam.software_policy',
  'pam.signer_group',
  'device',
  'organization',
  'site',
  'user',
  'role',
  'api_key',
  'sso.provider',
  'sso.domain',
  'partner',
] as const;

/** Beginnings of actions that answer common questions. */
export const ACTIONS = [
  'pam.elevation_request.*',
  'pam.rule.*',
  'pam.freeze.*',
  'device.*',
  'organization.*',
  'user.*',
  'user.login*',
  'sso.*',
  'role.*',
  'api_key.*',
  'audit.export*',
] as const;

export interface AuditFilter {
  readonly org?: string;
  /** An action, or the beginning of several: `pam.rule.*`. */
  readonly action?: string;
  readonly actor?: string;
  readonly kind?: (typeof KINDS)[number];
  readonly resource?: string;
  readonly result?: (typeof RESULTS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
}

/** The filter as the API names its parts. */
export const queryOf = ({ org, action, actor, kind, resource, result, from, to, q }: AuditFilter) => ({
  ...(org && { orgId: org }),
  ...(action && { action: [action] }),
  ...(actor && { actorId: actor }),
  ...(kind && { resourceType: kind }),
  ...(resource && { resourceId: resource }),
  ...(result && { result }),
  ...(from && { from }),
  ...(to && { to }),
  ...(q && { search: q }),
});

/** How many entries stand before the one that is shown first. */
export function newerThan(shown: readonly AuditEntry[], newest: readonly AuditEntry[]): number {
  const [first] = shown;
  const at = newest.findIndex(({ id }) => id === first?.id);
  return at === -1 ? newest.length : at;
}

export const PERIODS = ['hour', 'today', 'week', 'thisMonth', 'lastMonth'] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;

/** The beginning of a month of this zone, counted from the present one. */
const monthFrom = (now: Date, months: number): Date => new Date(now.getFullYear(), now.getMonth() + months);
const dayFrom = (now: Date, days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);

const STARTS: Readonly<Record<Period, (now: Date) => Date>> = {
  hour: (now) => new Date(now.getTime() - HOUR_MS),
  today: (now) => dayFrom(now, 0),
  week: (now) => dayFrom(now, 1 - WEEK_DAYS),
  thisMonth: (now) => monthFrom(now, 0),
  lastMonth: (now) => monthFrom(now, -1),
};

/** The instants of a named period, which the address carries; all but the last month go on until now. */
export const boundsOf = (period: Period, now: Date): { readonly from: string; readonly to?: string } => ({
  from: STARTS[period](now).toISOString(),
  ...(period === 'lastMonth' && { to: monthFrom(now, 0).toISOString() }),
});
