import { entryOf, withElement } from './model.ts';

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
