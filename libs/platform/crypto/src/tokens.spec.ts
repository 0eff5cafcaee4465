import { describe, expect, it } from '@jest/globals';
import { newId, randomToken } from './index.ts';

describe('ids and tokens', () => {
  it('ids are UUIDs v7 that sort in the order of their making, however many a millisecond', () => {
    const ids = Array.from({ length: MANY }, newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(MANY);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(Math.abs(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16) - Date.now())).toBeLessThan(
      60_000,
    );
  });

  it('tokens are 43 characters, and none comes twice or holds a run of zeros', () => {
    const tokens = Array.from({ length: MANY }, () => randomToken());
    expect(new Set(tokens).size).toBe(MANY);
    expect(tokens.every((token) => /^[\w-]{43}$/.test(token) && !token.includes('AAAAAA'))).toBe(true);
  });
});

const MANY = 20_000;
