import { describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { stopwatch } from './stopwatch.ts';

describe('the stopwatch of the tests', () => {
  it('counts no more time than has passed, and never less than none', async () => {
    const [began, spent] = [performance.now(), stopwatch()];
    await wait(20);
    const counted = spent();
    expect(counted).toBeGreaterThanOrEqual(0);
    expect(counted).toBeLessThanOrEqual(performance.now() - began);
  });
});
