import { endOfDay } from '../../../ui/text/days.ts';

export const EXPIRIES = ['month', 'quarter', 'year', 'day', 'never'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 24 * 60 * 60_000;
const DAYS = { month: 30, quarter: 90, year: 365 } as const;

/** When a key stops working; null for never, and while no day is chosen. */
export function expiryOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'day') return endOfDay(day) ?? null;
  return new Date(now + DAYS[expiry] * DAY_MS).toISOString();
}
