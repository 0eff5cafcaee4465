import type { StatisticsBucket } from '@gatehouse/contracts-pam';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** The first Monday since the beginning of Unix time. */
const FIRST_MONDAY = 4 * DAY_MS;

const floorTo = (at: number, step: number, origin = 0): number => Math.floor((at - origin) / step) * step + origin;

/** The beginning of the bucket that an instant is in, in UTC. */
export function bucketOf(at: Date, bucket: StatisticsBucket): Date {
  if (bucket === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
  return new Date(floorTo(at.getTime(), STEP_MS[bucket], bucket === 'week' ? FIRST_MONDAY : 0));
}

const after = (at: Date, bucket: StatisticsBucket): Date =>
  bucket === 'month'
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
    : new Date(at.getTime() + STEP_MS[bucket]);

/** The beginnings of the buckets of a period, at most one more than `most`. */
export function bucketsOf(from: Date, to: Date, bucket: StatisticsBucket, most: number): Date[] {
  const buckets: Date[] = [];
  for (let at = bucketOf(from, bucket); at < to && buckets.length <= most; at = after(at, bucket)) buckets.push(at);
  return buckets;
}
