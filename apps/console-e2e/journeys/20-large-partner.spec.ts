import { expect, test } from '../journey.ts';
import { SMALL } from '../scale/seed.ts';
import { walk } from '../scale/walk.ts';

test.describe('journey 20: a partner with 10 000 organisations', () => {
  test('switcher, palette, tree and lists read pages and never all', async ({ world, openAs }) => {
    const { faults, calls } = await walk({ world, openAs, size: SMALL });
    expect(calls).toBeGreaterThan(MIN_CALLS);
    expect(faults).toEqual([]);
  });
});

/** Seven lists, a switcher, a palette, four searches and a tree have read something. */
const MIN_CALLS = 20;
