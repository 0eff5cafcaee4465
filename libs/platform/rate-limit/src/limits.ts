export interface Limit {
  /** Names the counter; two limits of one name share it. */
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** Share of the quota that each process allows by itself while Redis is away: guessing stays slow, agents stay served. */
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
  loginContext: { name: 'login-context', max: 30, windowSeconds: 60, localShare: SERVING },
  forgotPassword: { name: 'forgot-password', max: 3, windowSeconds: 3600, localShare: GUESSING },
  agentReport: { name: 'agent-report', max: 10, windowSeconds: 1, localShare: SERVING },
  enrolByClient: { name: 'enrol-client', max: 600, windowSeconds: 60, localShare: SERVING },
  enrolByKey: { name: 'enrol-key', max: 600, windowSeconds: 60, localShare: SERVING },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

const OVERRIDE = /^([A-Za-z]+)=(\d+)\/(\d+)$/;

/**
 * @param setting `name=max/seconds` pairs parted by commas, such as `signInByClient=100/300,mfa=50/300`
 * @throws Error that names the pair that cannot be read
 */
export function limitsFrom(setting: string | undefined): Record<LimitName, Limit> {
  const limits: Record<LimitName, Limit> = { ...LIMITS };
  for (const pair of setting?.split(',').filter(Boolean) ?? []) {
    const [, name, max, windowSeconds] = OVERRIDE.exec(pair.trim()) ?? [];
    if (!name || !Object.hasOwn(limits, name)) throw new Error(`RATE_LIMITS: cannot read "${pair}"`);
    limits[name as LimitName] = { ...limits[name as LimitName], max: Number(max), windowSeconds: Number(windowSeconds) };
  }
  return limits;
}
