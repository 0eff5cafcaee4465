import type { DataOf } from '@gatehouse/client';

export type Provider = DataOf<'/sso/providers', 'get'>['data'][number];

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;
/** For how long a device is silent, and how soon a rule expires, that needs attention. */
const WEEK_DAYS = 7;

/** Full hours, so that what is asked stays the same while one looks. */
const fullHour = (at: number): number => Math.floor(at / 3_600_000) * 3_600_000;
export const weekAgo = (now: number): string => new Date(fullHour(now) - WEEK_DAYS * DAY_MS).toISOString();
export const weekAhead = (now: number): string => new Date(fullHour(now) + WEEK_DAYS * DAY_MS).toISOString();

/** Whether a provider in use has warnings, or its last certificate or its client secret ends soon or is over. */
export function needsAttention(provider: Provider, now: number): boolean {
  const { status, warnings, certificates = [], clientSecretExpiresAt } = provider;
  if (status === 'inactive') return false;
  const lasts = certificates.map(({ notAfter }) => Date.parse(notAfter));
  const ends = [
    ...(lasts.length > 0 ? [Math.max(...lasts)] : []),
    ...(clientSecretExpiresAt ? [Date.parse(clientSecretExpiresAt)] : []),
  ];
  return warnings.length > 0 || ends.some((end) => end - now <= SOON_DAYS * DAY_MS);
}
