import { describe, expect, it } from '@jest/globals';
import { type MergeRun, pollAfter, runsShown } from './merges.ts';

const run = (jobId: string, state: MergeRun['state']) => ({ jobId, state }) as MergeRun;

describe('merges in the panel', () => {
  it.each([
    [undefined, 0, false],
    [[run('a', 'completed')], 1, false],
    [[run('a', 'queued')], 1, 1000],
    [[run('a', 'running')], 11, 5000],
  ])('%j, read %i times, are read again after %s', (runs, reads, expected) => {
    expect(pollAfter(runs, reads)).toBe(expected);
  });

  it('stay when they end under watch, until they are dismissed', () => {
    const runs = [run('a', 'running'), run('b', 'completed'), run('c', 'failed'), run('d', 'completed')];
    const shown = runsShown(runs, new Set(['b', 'c']), new Set(['c']));
    expect(shown.map(({ jobId }) => jobId)).toEqual(['a', 'b']);
  });
});
