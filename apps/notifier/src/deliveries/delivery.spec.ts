import { describe, expect, it } from '@jest/globals';
import { attemptOf, secondsUntilRetry } from './delivery.ts';

describe('the time until a push is sent again', () => {
  it.each([
    ['', 1, 2],
    ['', 3, 8],
    ['', 20, 120],
    ['1', 3, 8],
    ['300', 1, 300],
    ['99999999999999999999', 1, 86_400],
    [new Date(Date.now() - 60_000).toUTCString(), 1, 2],
    ['soon', 1, 2],
    ['-5', 1, 2],
  ])('after `Retry-After: %s` at attempt %i is %i seconds', (retryAfter, attempts, seconds) => {
    expect(secondsUntilRetry(attempts, attemptOf({ status: 503, retryAfter }))).toBe(seconds);
  });

  it('lasts until the date of `Retry-After`', () => {
    const retryAfter = new Date(Date.now() + 300_000).toUTCString();
    expect(secondsUntilRetry(1, attemptOf({ status: 429, retryAfter }))).toBeGreaterThan(290);
  });
});
