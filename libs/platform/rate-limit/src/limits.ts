export interface Limit {
  /** Names the counter; two limits of one name share it. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  /**
   * Share of the quota that each process allows on its own while Redis is unavailable: low for guessing, full for
   * agents.
   */
  readonly localShare: number;
}

const GUESSING = 0.5;
const SERVING = 1;

/** The limits of the contract (decisions, "rate limits"); `RATE_LIMITS` in the environment changes their numbers. */
export const LIMITS = {
  signInByClient: { name: 'sign-in-client', max: 10, windowSeconds: 300, localShare: GUESSING },
  signInByAccount: { name: 'sign-in-account', max: 5, windowSeconds: 300, localShare: GUESSING },
  mfa: { name: 'mfa', max: 5, windowSeconds: 300, localShare: GUESSING },
  discovery: { name: 'discovery', max: 20, windowSeconds: 300, localShare: GUESSING },
  ssoStart: { name: 'sso-start', max: 30, windowSeconds: 300, localShare: GUESSING },
  /**
   * Counted by the state of a sign-in attempt: a browser posts one response, and a few more when it reloads the page.
   */
  samlResponses: { name: 'saml-responses', max: 30, windowSeconds: 600, localShare: SERVING },
  /** Counted by the administrator who begins them, or by the set-up link. */
  ssoTest: { name: 'sso-test', max: 10, windowSeconds: 300, localShare: SERVING },
  /** Refused sign-ins through providers of which a record is kept; the others are counted only. */
  ssoAttemptLog: { name: 'sso-attempt-log', max: 60, windowSeconds: 60, localShare: GUESSING },
  setupVisit: { name: 'setup-visit', max: 10, windowSeconds: 300, localShare: GUESSING },
  loginContext: { name: 'login-context', max: 30, windowSeconds: 60, localShare: SERVING },
  forgotPassword: { name: 'forgot-password', max: 3, windowSeconds: 3600, localShare: GUESSING },
  agentReport: { name: 'agent-report', max: 10, windowSeconds: 1, localShare: SERVING },
  agentPoll: { name: 'agent-poll', max: 1000, windowSeconds: 10, localShare: SERVING },
  agentTokenRotation: { name: 'agent-token-rotation', max: 30, windowSeconds: 3600, localShare: SERVING },
  agentInventory: { name: 'agent-inventory', max: 60, windowSeconds: 3600, localShare: SERVING },
  pushTest: { name: 'push-test', max: 10, windowSeconds: 300, localShare: SERVING },
  agentRules: { name: 'agent-rules', max: 60, windowSeconds: 3600, localShare: SERVING },
  /**
   * A key has 256 bits, so these two bound work and not guessing: the fleet of a customer enrols from one address
   * within minutes.
   */
  enrolByClient: { name: 'enrol-client', max: 6000, windowSeconds: 60, localShare: SERVING },
  enrolByKey: { name: 'enrol-key', max: 6000, windowSeconds: 60, localShare: SERVING },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/**
 * How much work a caller may have under way at once, in each process. All sessions of a user share the user's bound.
 */
export interface Bound {
  readonly name: string;
  readonly max: number;
  /** How many further calls may wait in the queue, and for how long. */
  readonly waiting: number;
  readonly timeoutMs: number;
  /** Counts the timeout from the last end of work of this subject, and answers 503: what it waits for is stuck. */
  readonly whileStuck?: boolean;
}

/** For waits for the database: as long as what came before ends, what comes after may wait. */
const IN_LINE = { waiting: 1024, timeoutMs: 2_500, whileStuck: true };

export const BOUNDS = {
  requests: { name: 'requests', max: 64, waiting: 1024, timeoutMs: 20_000 },
  largeBodies: { name: 'large-bodies', max: 4, waiting: 64, timeoutMs: 5_000 },
  heavyCalls: { name: 'heavy-calls', max: 4, waiting: 64, timeoutMs: 2_000 },
  objectChanges: { name: 'object-changes', max: 1, ...IN_LINE },
  collectionChanges: { name: 'collection-changes', max: 3, ...IN_LINE },
  /** Of ten connections for requests of a process; a pool of another size is shared in the same proportions. */
  callerConnections: { name: 'caller-connections', max: 6, ...IN_LINE },
  tenantConnections: { name: 'tenant-connections', max: 7, ...IN_LINE },
  peopleConnections: { name: 'people-connections', max: 8, ...IN_LINE },
  protectiveConnections: { name: 'protective-connections', max: 2, ...IN_LINE },
  eventStreams: { name: 'event-streams', max: 32, waiting: 0, timeoutMs: 0 },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof BOUNDS;
type ByName = Readonly<Record<LimitName, Limit> & Record<BoundName, Bound>>;

/** All limits and bounds, with the changes from the environment. */
export class Limits {
  constructor(private readonly byName: ByName = { ...LIMITS, ...BOUNDS }) {}

  limit(name: LimitName): Limit {
    return this.byName[name];
  }

  bound(name: BoundName): Bound {
    return this.byName[name];
  }
}

const CONNECTIONS = 10;
const boundsFor = (connections: number): Record<BoundName, Bound> => {
  const shared = Object.entries<Bound>(BOUNDS).map(([name, bound]) => {
    const max = Math.max(1, Math.floor((bound.max * connections) / CONNECTIONS));
    return [name, name.endsWith('Connections') ? { ...bound, max } : bound];
  });
  return Object.fromEntries(shared) as Record<BoundName, Bound>;
};

const OVERRIDE = /^([A-Za-z]+)=(\d+)(?:\/(\d+))?$/;

/**
 * @param setting comma-separated pairs: `name=max/seconds` for limits, `name=max` for bounds, such as
 * `signInByClient=100/300,heavyCalls=8`
 * @param connections how many a process has for requests
 * @throws Error that names the pair that cannot be read
 */
export function limitsFrom(setting: string | undefined, connections = CONNECTIONS): Limits {
  const limits: Record<string, Limit | Bound> = { ...LIMITS, ...boundsFor(connections) };
  for (const pair of setting?.split(',').filter(Boolean) ?? []) {
    const [, name = '', max, windowSeconds] = OVERRIDE.exec(pair.trim()) ?? [];
    const known = Object.hasOwn(limits, name) ? limits[name] : undefined;
    const changed = known && overridden(known, Number(max), windowSeconds);
    if (!changed) throw new Error(`RATE_LIMITS: cannot read "${pair}"`);
    limits[name] = changed;
  }
  return new Limits(limits as ByName);
}

/** @returns null for a limit without a window, and for a bound with a window or with a maximum of 0 */
function overridden(known: Limit | Bound, max: number, windowSeconds: string | undefined): Limit | Bound | null {
  if ('windowSeconds' in known)
    return windowSeconds === undefined ? null : { ...known, max, windowSeconds: Number(windowSeconds) };
  return windowSeconds === undefined && max > 0 ? { ...known, max } : null;
}
