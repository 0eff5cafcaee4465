import { describe, expect, it } from '@jest/globals';
import { bucketsOf } from './statistics.service.ts';

describe('the buckets of a period', () => {
  it.each([
    ['hour', ['2026-11-22T22:00:00Z', '2026-11-22T23:00:00Z', '2026-11-23T00:00:00Z']],
    ['day', ['2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z']],
    ['week', ['2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z']],
    ['month', ['2026-11-01T00:00:00Z']],
  ] as const)('begin with each %s', (bucket, expected) => {
    expect(bucketsOf(from, to, bucket, 10)).toEqual(expected.map((at) => new Date(at)));
  });

  it('are cut one beyond the limit', () => {
    expect(bucketsOf(new Date(0), to, 'hour', 10)).toHaveLength(11);
  });
});

const [from, to] = [new Date('2026-11-22T22:30:00Z'), new Date('2026-11-23T01:00:00Z')];
