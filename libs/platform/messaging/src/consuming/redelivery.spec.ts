import { describe, expect, it } from '@jest/globals';
import { ACK_WAIT_MS, backoffMs, STILL_WORKING_MS } from './redelivery.ts';

describe('the next delivery of a message', () => {
  it('comes later each time, and never later than that of a message about which the broker hears nothing', () => {
    expect([1, 2, 7].map(backoffMs)).toEqual([100, 200, 6_400]);
    expect(backoffMs(60)).toBe(ACK_WAIT_MS);
  });

  it('does not come while the consumer works, even when one of its signs of life is lost', () => {
    expect(2 * STILL_WORKING_MS).toBeLessThan(ACK_WAIT_MS);
  });
});
