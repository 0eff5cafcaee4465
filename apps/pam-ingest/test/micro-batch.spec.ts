import { describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { MicroBatch } from '../src/agents/micro-batch.ts';

describe('MicroBatch', () => {
  it('runs what arrives together as one, and gives each its own result', async () => {
    const sizes: number[] = [];
    const batch = new MicroBatch<number, number>(
      async (items) => (sizes.push(items.length), items.map((item) => item * 2)),
      limits,
    );
    expect(await Promise.all([1, 2, 3].map((item) => batch.submit(item)))).toEqual([2, 4, 6]);
    expect(await batch.submit(4)).toBe(8);
    expect(sizes).toEqual([3, 1]);
  });

  it('gathers what arrives while a batch is under way, up to the largest size', async () => {
    const sizes: number[] = [];
    const batch = new MicroBatch<number, number>(async (items) => {
      sizes.push(items.length);
      await wait(20);
      return items;
    }, limits);
    const first = batch.submit(0);
    await wait(5);
    await Promise.all([first, ...[1, 2, 3, 4].map((item) => batch.submit(item))]);
    expect(sizes).toEqual([1, 3, 1]);
  });

  it('starts beside a batch that is under way only when it is full', async () => {
    const sizes: number[] = [];
    const batch = new MicroBatch<number, number>(
      async (items) => {
        sizes.push(items.length);
        await wait(20);
        return items;
      },
      { ...limits, parallel: 2 },
    );
    const first = batch.submit(0);
    await wait(5);
    const rest = [1, 2].map((item) => batch.submit(item));
    await wait(5);
    expect(sizes).toEqual([1]);
    rest.push(batch.submit(3));
    expect(sizes).toEqual([1, 3]);
    await Promise.all([first, ...rest]);
  });

  it('tries each alone when one of them cannot be stored', async () => {
    const batch = new MicroBatch<number, number>(async (items) => {
      if (items.includes(2)) throw new RangeError('two');
      return items;
    }, limits);
    const results = await Promise.allSettled([1, 2, 3].map((item) => batch.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails all at once when the fault is of none of them', async () => {
    let runs = 0;
    const batch = new MicroBatch<number, number>(async () => {
      runs++;
      throw new Error('the database is away');
    }, limits);
    const results = await Promise.allSettled([1, 2, 3].map((item) => batch.submit(item)));
    expect([runs, results.every(({ status }) => status === 'rejected')]).toEqual([1, true]);
  });
});

const limits = { waitMs: 2, maxSize: 3, parallel: 1, isOfOneItem: (error: unknown) => error instanceof RangeError };
