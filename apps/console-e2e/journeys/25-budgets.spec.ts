import { expect, test } from '../journey.ts';
import { measureFirstView } from '../scale/first-view.ts';

test.use({ serviceWorkers: 'allow' });

// Times depend on the machine: `node tools/journeys.mjs scale` measures them. The sizes of the built files are checked
// beside the console.
test.describe('journey 25: the first view on a slow phone', () => {
  test('the queue can be used after few calls, no row moves, and it answers to keys', async ({ world, openAs }) => {
    const { cold, warm } = await measureFirstView(world, openAs, 'phone');
    for (const { lcp, cls, calls } of [cold, warm]) {
      expect(lcp).toBeGreaterThan(0);
      expect(cls).toBeLessThanOrEqual(MAX_SHIFT);
      expect([...new Set(calls)].slice(MAX_CALLS), calls.join(', ')).toEqual([]);
    }
    expect(warm.inp).toBeGreaterThan(0);
  });
});

/** Different calls until the queue is usable, with those beside it that may be quicker. */
const MAX_CALLS = 6;
const MAX_SHIFT = 0.05;
