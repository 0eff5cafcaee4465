import fc from 'fast-check';
import { mergeOf } from './merge.ts';

describe('two changes of one record', () => {
  it('keeps what each side changed, and names where they differ', () => {
    const base = { name: 'a', priority: 1, hash: null };
    const own = { name: 'mine', priority: 1, hash: null };
    const stored = { name: 'theirs', priority: 2, hash: null };
    expect(mergeOf({ base, own, stored })).toEqual({
      merged: { name: 'mine', priority: 2, hash: null },
      mine: ['name'],
      theirs: ['priority'],
    });
  });

  it('sees no difference where both made the same change, or an absent member stands for null', () => {
    const merge = mergeOf({ base: { name: 'a' }, own: { name: 'b', site: null }, stored: { name: 'b' } });
    expect([merge.mine, merge.theirs]).toEqual([[], []]);
  });

  it('loses no change of either side that the other did not touch', () => {
    const record = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) });
    fc.assert(
      fc.property(record, record, record, (base, own, stored) => {
        const { merged } = mergeOf({ base, own, stored });
        for (const name of ['a', 'b', 'c'] as const)
          expect(merged[name]).toBe(own[name] === base[name] ? stored[name] : own[name]);
      }),
    );
  });
});
