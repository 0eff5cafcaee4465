import { describe, expect, it } from '@jest/globals';
import { expiresBefore } from '../queries.ts';

describe('invitations that expire soon', () => {
  it.each([
    ['day', '2026-03-01T10:20:00Z', '2026-03-02T11:00:00.000Z'],
    ['day', '2026-03-01T10:59:59Z', '2026-03-02T11:00:00.000Z'],
    ['threeDays', '2026-03-01T11:00:00Z', '2026-03-04T11:00:00.000Z'],
  ] as const)('within %s from %s: before %s', (expiry, now, before) => {
    expect(expiresBefore(expiry, Date.parse(now))).toBe(before);
  });
});
