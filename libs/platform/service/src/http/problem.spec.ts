import { KeyMissing } from '@gatehouse/crypto';
import { describe, expect, it } from '@jest/globals';
import { problemErrorOf } from './problem.ts';

describe('a service that cannot answer', () => {
  it('says when to try again also for a secret whose key is gone', () => {
    expect(problemErrorOf(new KeyMissing('k1'))).toMatchObject({
      status: 503,
      code: 'unavailable',
      members: { retryAfterSeconds: expect.any(Number) },
    });
  });
});
