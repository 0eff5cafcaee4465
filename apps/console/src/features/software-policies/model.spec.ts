import { entryOf, placeOf, withElement, withEntry } from './model.ts';

describe('an entry of a software policy', () => {
  it('holds what was filled in, trimmed', () => {
    expect(entryOf({ name: ' Editor ', sha256: '', signer: ' Contoso ', publisher: null, pathGlob: ' ' })).toEqual({
      name: 'Editor',
      signer: 'Contoso',
    });
  });

  it('replaces or leaves the list', () => {
    expect(withElement(['a', 'b', 'c'], 1, 'x')).toEqual(['a', 'x', 'c']);
    expect(withElement(['a', 'b', 'c'], 1)).toEqual(['a', 'c']);
  });
});

describe('an entry in a list that another person changed', () => {
  const [a, b, c] = [{ name: 'a', signer: 'A' }, { name: 'b', signer: 'B' }, { name: 'c' }];

  it.each([
    ['at its place', [a, b, c], 1],
    ['where it moved', [b, c], 0],
    ['by its name, when it was changed', [c, { ...b, signer: 'Other' }], 1],
    ['nowhere, when it was removed', [a, c], -1],
  ])('is found %s', (_, entries, place) => expect(placeOf(entries, b, 1)).toBe(place));

  it('is replaced there, or added', () => {
    expect(withEntry([a, b], 1, c)).toEqual([a, c]);
    expect(withEntry([a], -1, c)).toEqual([a, c]);
  });
});
