import { inOrder, orderAfter } from './queries.ts';

describe('an organisation that moves in the list', () => {
  it.each([
    ['up', 'c', 'b', ['a', 'c', 'b', 'd']],
    ['down', 'b', 'c', ['a', 'c', 'b', 'd']],
    ['to the top', 'b', 'a', ['b', 'a', 'c', 'd']],
    ['to the end', 'c', 'd', ['a', 'b', 'd', 'c']],
  ])('%s takes the place of its neighbour', (_where, id, neighbour, expected) => {
    expect(orderAfter(['a', 'b', 'c', 'd'], ['b', 'c'], { id, neighbour })).toEqual(expected);
  });

  it('begins with the page before an order was set', () => {
    expect(orderAfter([], ['a', 'b'], { id: 'b', neighbour: 'a' })).toEqual(['b', 'a']);
  });

  it('skips archived ones between it and its neighbour', () => {
    expect(orderAfter(['a', 'archived', 'b'], ['a', 'b'], { id: 'b', neighbour: 'a' })).toEqual(['b', 'a', 'archived']);
  });
});

it('rows follow an order, and those that it does not name come last', () => {
  const rows = ['new', 'a', 'b'].map((id) => ({ id }));
  expect(inOrder(rows, ['b', 'a']).map(({ id }) => id)).toEqual(['b', 'a', 'new']);
});
