export const EXPIRIES = ['day', 'threeDays'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const HOUR_MS = 60 * 60_000;
const HOURS: Readonly<Record<Expiry, number>> = { day: 24, threeDays: 72 };

/** Until when an invitation expires that is looked for: a full hour, so that the list is not read anew all the time. */
export const expiresBefore = (expiry: Expiry, now: number): string =>
  new Date((Math.ceil(now / HOUR_MS) + HOURS[expiry]) * HOUR_MS).toISOString();
