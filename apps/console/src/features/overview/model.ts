import type { DataOf } from '@gatehouse/client';

export type Provider = DataOf<'/sso/providers', 'get'>['data'][number];
export type Bucket = DataOf<'/pam/statistics', 'get'>['buckets'][number];

/** In the order in which a bar is built from below. */
export const OUTCOMES = ['autoApproved', 'approved', 'denied', 'expired', 'ignored', 'pending'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const totalOf = (bucket: Bucket): number => OUTCOMES.reduce((sum, name) => sum + bucket[name], 0);

export const isUsed = (bucket: Bucket): boolean => totalOf(bucket) > 0;

export interface Part {
  readonly outcome: Outcome;
  /** Shares of the highest bar: where the part begins, from below, and how high it is. */
  readonly from: number;
  readonly height: number;
}

/** The parts of each day's bar, as shares of the busiest day. */
export function barsOf(buckets: readonly Bucket[]): readonly (readonly Part[])[] {
  const most = Math.max(1, ...buckets.map(totalOf));
  return buckets.map((bucket) => {
    let from = 0;
    return OUTCOMES.map((outcome) => {
      const part = { outcome, from, height: bucket[outcome] / most };
      from += part.height;
      return part;
    }).filter(({ height }) => height > 0);
  });
}

const DAY_MS = 86_400_000;
export const SOON_DAYS = 30;

/** Whole days until a provider's last certificate ends, below zero once it has; null without a certificate. */
export function daysLeft({ certificates = [] }: Pick<Provider, 'certificates'>, now: number): number | null {
  const ends = certificates.map(({ notAfter }) => Date.parse(notAfter));
  return ends.length === 0 ? null : Math.floor((Math.max(...ends) - now) / DAY_MS);
}

export interface Attention {
  readonly provider: Provider;
  readonly days: number | null;
}

/** Providers that are in use and have something to tell, the most urgent first. */
export function attentionOf(providers: readonly Provider[], now: number): readonly Attention[] {
  return providers
    .filter(({ status }) => status !== 'inactive')
    .map((provider) => ({ provider, days: daysLeft(provider, now) }))
    .filter(({ provider, days }) => provider.warnings.length > 0 || days !== null)
    .sort((one, other) => (one.days ?? SOON_DAYS) - (other.days ?? SOON_DAYS));
}

/** What a new partner has already. */
export interface Progress {
  readonly organization: boolean;
  readonly site: boolean;
  readonly key: boolean;
  readonly device: boolean;
}
export const STEPS = ['organization', 'site', 'key', 'device'] as const;
export type Step = (typeof STEPS)[number];

/** The step that comes next: the first that is not done. */
export const nextOf = (progress: Progress): Step | null => STEPS.find((step) => !progress[step]) ?? null;
