import type { DataOf } from '@gatehouse/client';
import { AUDIT_ACTIONS } from '../../api/generated/actions.ts';

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];

/** Whose acts are shown: those of people and what acts for them, or those of agents and of the system as well. */
export const ACTORS = ['people', 'everyone'] as const;
const PEOPLE = ['user', 'api_key', 'setup_link'] as const;
/** As the API takes them. */
const MAX_SAID = 100;
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
  'sso_provider',
  'sso_domain',
  'partner',
] as const;

/** Areas of the log, each with the beginnings of its actions; the first area that fits an action holds it. */
const AREAS = {
  requests: ['pam.elevation_request.*', 'pam.approval.*', 'device.elevation.*'],
  freezes: ['pam.freeze.*'],
  rules: ['pam.*'],
  devices: ['device.*', 'device_group.*', 'enrollment_key.*', 'configuration_policy.*'],
  library: ['script.*', 'custom_field.*'],
  organizations: ['organization.*', 'site.*', 'contact.*'],
  signIns: ['user.login', 'user.login_failed', 'user.logout', 'user.break_glass.*', 'sso.login.*'],
  signOn: ['sso.*', 'partner.login_branding.*'],
  people: ['user.*', 'role.*', 'api_key.*', 'api_key_policy.*', 'session.*', 'push_subscription.*'],
  partner: ['partner.*'],
  system: ['audit.*', 'signing_key.*', 'checkpoint_key.*', 'sealed_secret.*', 'dead_letter.*', 'outbox.*'],
} as const;
type ActionArea = keyof typeof AREAS;

export interface ActionsOfArea {
  readonly area: ActionArea;
  /** What the address holds for all of them. */
  readonly all: string;
  readonly actions: readonly AuditAction[];
}

const begins = (beginning: string, action: string): boolean =>
  action === beginning || (beginning.endsWith('.*') && action.startsWith(beginning.slice(0, -1)));

/** Every action of the log, by area. */
export function actionsByArea(): readonly ActionsOfArea[] {
  const areas = Object.entries(AREAS) as [ActionArea, readonly string[]][];
  const areaOf = (action: string) =>
    areas.find(([, beginnings]) => beginnings.some((beginning) => begins(beginning, action)))?.[0];
  return areas.map(([area, beginnings]) => ({
    area,
    all: beginnings.join(','),
    actions: AUDIT_ACTIONS.filter((action) => areaOf(action) === area),
  }));
}

const MIN_SAID = 3;
const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();

/** The actions whose sentences say what is searched for, as `approved`, or whose names begin so: `pam.elevation.*`. */
export function actionsSaying(text: string, sentences: ReadonlyMap<AuditAction, string>): readonly AuditAction[] {
  const said = plain(text);
  if (said.length < MIN_SAID) return [];
  const beginning = /^\w+\..*?(?=[.]?[*]?$)/.exec(said)?.[0] ?? '.';
  return [...sentences]
    .filter(([action, sentence]) => plain(sentence).includes(said) || action.startsWith(beginning))
    .map(([action]) => action);
}

export interface AuditFilter {
  readonly org?: string;
  /** Actions, or the beginnings of several: `pam.rule.*,pam.freeze.*`. */
  readonly action?: string;
  readonly by?: (typeof ACTORS)[number];
  readonly actor?: string;
  readonly kind?: (typeof KINDS)[number];
  readonly resource?: string;
  readonly result?: (typeof RESULTS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  /** The actions whose sentences say what is searched for. */
  readonly said?: readonly AuditAction[];
}

/** Acts of people come first; who looks for one thing, person, act or text finds what the system did about it too. */
export const showsEveryone = ({ by, action, actor, resource, q }: AuditFilter): boolean =>
  by ? by === 'everyone' : Boolean(action ?? actor ?? resource ?? q);

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const given = <T extends object>(parts: T) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')) as Given<T>;

/** The filter as the API names its parts. */
export const queryOf = (filter: AuditFilter) =>
  given({
    orgId: filter.org,
    action: filter.action?.split(','),
    actorType: showsEveryone(filter) ? undefined : [...PEOPLE],
    actorId: filter.actor,
    resourceType: filter.kind,
    resourceId: filter.resource,
    result: filter.result,
    from: filter.from,
    to: filter.to,
    search: filter.q,
    searchActions: filter.said?.length ? filter.said.slice(0, MAX_SAID) : undefined,
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
