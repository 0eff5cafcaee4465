import { grouped, withRecent, withStar } from './places.ts';

describe('the places of the switcher', () => {
  it.each([
    [[], 'a', ['a']],
    [['a', 'b'], 'b', ['b', 'a']],
    [['a', 'b', 'c', 'd', 'e'], 'f', ['f', 'a', 'b', 'c', 'd']],
  ])('after %j, the choice of %s makes %j recent', (recent, id, expected) => {
    expect(withRecent(recent, id)).toEqual(expected);
  });

  it('are starred and unstarred by the same button', () => {
    expect(withStar(['a'], 'b')).toEqual(['a', 'b']);
    expect(withStar(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('stand in one group each', () => {
    const groups = grouped([place('a')], [place('b'), place('a')], [place('a'), place('b'), place('c')]);
    expect(groups).toEqual({ starred: [place('a')], recent: [place('b')], found: [place('c')] });
  });
});

const place = (id: string) => ({ id, name: id.toUpperCase() });
