import { describe, expect, it } from '@jest/globals';
import { reordered } from './rule.ts';

describe('PAM-194 reordered', () => {
  it.each([
    [
      ['a', 'b', 'c', 'd'],
      ['b20', 'c30', 'd40'],
    ],
    [
      ['d', 'c', 'b', 'a'],
      ['d10', 'c20', 'b30', 'a40'],
    ],
    [
      ['d', 'b'],
      ['d20', 'c30', 'b40'],
    ],
    [[], ['b20', 'c30', 'd40']],
  ])('%j changes %j', (ids, changed) => {
    expect(reordered(RULES, ids).map(({ id, priority }) => `${id}${priority}`)).toEqual(changed);
  });
});

const RULES = [
  { id: 'a', priority: 10 },
  { id: 'b', priority: 100 },
  { id: 'c', priority: 100 },
  { id: 'd', priority: 100 },
];
