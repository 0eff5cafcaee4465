import { describe, expect, it } from '@jest/globals';
import { changesOf } from './audit.ts';

describe('the changes of an audit entry', () => {
  it.each([
    [{ a: 1, b: [1] }, { a: 2, b: [1] }, { a: { before: 1, after: 2 } }],
    [null, { a: 1, b: [1] }, { a: { before: null, after: 1 }, b: { before: null, after: [1] } }],
    [{ a: 1, b: null }, null, { a: { before: 1, after: null } }],
    [{ a: 1, b: [1], c: 1 }, { a: 1, b: [1], c: 2 }, {}],
  ])('AUD-50 names the fields that differ, and no others, of change %#', (before, after, changes) => {
    expect(changesOf<object>(before, after, ['a', 'b'])).toEqual(changes);
  });
});
