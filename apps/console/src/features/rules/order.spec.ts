import { displaced, placeAfter, priorityAfter } from './order.ts';

describe('a rule that moves', () => {
  it.each([
    ['up', 'd', 1, ['d', 'b', 'c']],
    ['down', 'a', 2, ['b', 'c', 'a']],
    ['nowhere', 'b', 1, []],
    ['beyond the end', 'c', 99, ['d', 'c']],
    ['before the beginning', 'b', -1, ['b', 'a']],
  ] as const)('%s displaces its neighbours only', (_where, id, to, expected) => {
    expect(displaced(['a', 'b', 'c', 'd'], id, to)).toEqual(expected);
  });
});

describe('the place behind another rule', () => {
  it.each([
    ['a', 'c', 2],
    ['d', 'a', 1],
    ['b', 'a', 1],
    ['new', 'b', 2],
  ])('of %s behind %s is %i', (id, other, place) => {
    expect(placeAfter(['a', 'b', 'c', 'd'], id, other)).toBe(place);
  });
});

describe('the priority of a rule behind another', () => {
  it.each([
    ['0', 15],
    ['1', null],
    ['2', null],
    ['3', 31],
    ['gone', null],
  ])('behind %s is %s', (other, priority) => expect(priorityAfter(rules, other)).toBe(priority));

  const rules = [10, 20, 21, 21].map((priority, at) => ({ id: String(at), priority }));
});
