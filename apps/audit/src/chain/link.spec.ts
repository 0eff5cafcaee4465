import type { AuditRecord } from '@gatehouse/contracts-core';
import { canonicalJson, newId, sha256Hex } from '@gatehouse/crypto';
import { describe, expect, it } from '@jest/globals';
import { GENESIS, hashOf, link } from './link.ts';

const record = (overrides: Partial<AuditRecord> = {}): AuditRecord => ({
  id: newId(),
  timestamp: '2026-11-20T10:00:00.000Z',
  partnerId: null,
  orgId: null,
  siteId: null,
  actor: { type: 'system', id: null, name: 'test' },
  action: 'user.login',
  resource: { type: 'user', id: null, name: null },
  result: 'success',
  details: { b: 1, a: 'é' },
  ip: null,
  userAgent: null,
  requestId: null,
  ...overrides,
});

describe('a chain', () => {
  it('numbers its entries without gaps, and each names the hash of its predecessor', () => {
    expect(entries.map(({ sequence, previousHash }) => [sequence, previousHash])).toEqual([
      [1, GENESIS],
      [2, entries[0]?.hash],
    ]);
    expect(end).toEqual({ length: 2, head: entries[1]?.hash });
  });

  it('hashes the canonical JSON of the entry without its hash', () => {
    const [first] = entries;
    const { hash, ...rest } = first ?? { hash: '' };
    expect(hash).toBe(sha256Hex(canonicalJson(rest)));
  });

  it.each(['details', 'timestamp', 'previousHash', 'sequence', 'actor', 'result'] as const)(
    'shows a change of %s',
    (member) => {
      const [, second] = entries;
      if (!second) throw new Error('no entry');
      expect(hashOf({ ...second, [member]: member === 'sequence' ? 3 : 'altered' })).not.toBe(second.hash);
    },
  );

  it('takes in only the members of the contract', () => {
    const smuggled = { ...record(), secret: 'x' };
    expect(JSON.stringify(link({ length: 0, head: GENESIS }, [smuggled]))).not.toContain('secret');
  });

  const { entries, end } = link({ length: 0, head: GENESIS }, [record(), record({ partnerId: null })]);
});
