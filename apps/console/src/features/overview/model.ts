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

export interface Expiry {
  readonly kind: 'certificate' | 'secret';
  /** Whole days, below zero once it is over. */
  readonly days: number;
}

/** Which ends first: a provider's last certificate or its client secret; null without either. */
export function expiryOf(provider: Provider, now: number): Expiry | null {
  const { certificates = [], clientSecretExpiresAt } = provider;
  const ends = certificates.map(({ notAfter }) => Date.parse(notAfter));
  const daysTo = (end: number): number => Math.floor((end - now) / DAY_MS);
  const expiries: Expiry[] = [
    ...(ends.length > 0 ? [{ kind: 'certificate' as const, days: daysTo(Math.max(...ends)) }] : []),
    ...(clientSecretExpiresAt ? [{ kind: 'secret' as const, days: daysTo(Date.parse(clientSecretExpiresAt)) }] : []),
  ];
  return expiries.sort((one, other) => one.days - other.days)[0] ?? null;
}

export interface Attention {
  readonly provider: Provider;
  readonly expiry: Expiry | null;
}

/** Providers that are in use and have something to tell, the most urgent first. */
export function attentionOf(providers: readonly Provider[], now: number): readonly Attention[] {
  const daysOf = ({ expiry }: Attention): number => expiry?.days ?? SOON_DAYS;
  return providers
    .filter(({ status }) => status !== 'inactive')
    .map((provider) => ({ provider, expiry: expiryOf(provider, now) }))
    .filter(({ provider, expiry }) => provider.warnings.length > 0 || expiry !== null)
    .sort((one, other) => daysOf(one) - daysOf(other));
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
