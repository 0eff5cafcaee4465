import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWithin } from './time-window.ts';

describe('a time window', () => {
  it('is open for just the minutes from its start to its end, begun on its days', () => {
    fc.assert(
      fc.property(minutes, minutes, days, instants, (start, end, allowed, at) => {
        expect(isWithin({ start: clockOf(start), end: clockOf(end), days: allowed }, at)).toBe(
          opened(start, end, allowed, at),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('without days is open on each of them', () => {
    fc.assert(
      fc.property(minutes, minutes, instants, (start, end, at) => {
        const window = { start: clockOf(start), end: clockOf(end) };
        expect(isWithin(window, at)).toBe(isWithin({ ...window, days: [0, 1, 2, 3, 4, 5, 6] }, at));
      }),
    );
  });
});

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const minutes = fc.integer({ min: 0, max: DAY_MINUTES - 1 });
const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 });
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

/**
 * The window minute by minute: begun on each allowed day, it lasts until its end, on the next day if that is earlier.
 */
function opened(start: number, end: number, allowed: readonly number[], at: Date): boolean {
  const length = (end - start + DAY_MINUTES) % DAY_MINUTES;
  const now = Math.floor(at.getTime() / MINUTE_MS);
  return [0, 1].some((daysAgo) => {
    const midnight = (Math.floor(now / DAY_MINUTES) - daysAgo) * DAY_MINUTES;
    const began = midnight + start;
    return allowed.includes(new Date(midnight * MINUTE_MS).getUTCDay()) && now >= began && now <= began + length;
  });
}
