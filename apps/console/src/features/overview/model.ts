import type { DataOf } from '@gatehouse/client';

export type Bucket = DataOf<'/pam/statistics', 'get'>['buckets'][number];

/** In the order in which a bar is built from below. */
export const OUTCOMES = ['autoApproved', 'approved', 'denied', 'expired', 'ignored', 'pending'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const totalOf = (bucket: Bucket): number => OUTCOMES.reduce((sum, name) => sum + bucket[name], 0);

export const isUsed = (bucket: Bucket): boolean => totalOf(bucket) > 0;

interface Part {
  readonly outcome: Outcome;
  /** Shares of the axis: where the part begins, from below, and how high it is. */
  readonly from: number;
  readonly height: number;
}

export interface Chart {
  readonly bars: readonly (readonly Part[])[];
  /** The numbers at the axis, from 0 to its end. */
  readonly ticks: readonly number[];
}

const ROUND = [1, 2, 5, 10] as const;
const MIN_TICKS = 2;

/** Whole and round numbers from 0 to the busiest day, at most five of them above 0. */
function ticksTo(most: number): number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most / 5)));
  const step = ROUND.map((digit) => digit * size).find((one) => most <= one * 5) ?? most;
  const count = Math.max(MIN_TICKS, Math.ceil(most / step) + 1);
  return Array.from({ length: count }, (_, at) => at * step);
}

/** The parts of each day's bar, as shares of an axis that ends above the busiest day. */
export function chartOf(buckets: readonly Bucket[]): Chart {
  const ticks = ticksTo(Math.max(1, ...buckets.map(totalOf)));
  const end = ticks.at(-1) ?? 1;
  const bars = buckets.map((bucket) => {
    let from = 0;
    return OUTCOMES.map((outcome) => {
      const part = { outcome, from, height: bucket[outcome] / end };
      from += part.height;
      return part;
    }).filter(({ height }) => height > 0);
  });
  return { bars, ticks };
}

export const STEPS = ['organization', 'site', 'key', 'device', 'prompt', 'rule', 'signOn', 'person'] as const;
export type Step = (typeof STEPS)[number];

/** Which steps the server knows to be done; those that one may not take are absent. */
export type Progress = Readonly<Partial<Record<Step, boolean>>>;

/** The step that comes next: the first that is not done. */
export const nextOf = (progress: Progress): Step | null => STEPS.find((step) => progress[step] === false) ?? null;
