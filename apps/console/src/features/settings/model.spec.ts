import { describe, expect, it } from '@jest/globals';
import { contrastWithWhite, patchOf } from './model.ts';

describe('settings', () => {
  it.each([
    ['#000000', 21],
    ['#ffffff', 1],
    ['#767676', 4.54],
    ['#1B62B8', 6.06],
  ])('white on %s has a contrast of %f', (color, contrast) =>
    expect(contrastWithWhite(color)).toBeCloseTo(contrast, 1),
  );

  it.each(['', '#fff', 'red', '#12345g'])('%j is no colour', (color) => expect(contrastWithWhite(color)).toBeNull());

  it('a patch nests what its fields name', () => {
    expect(patchOf({ name: 'Acme', 'settings.timezone': 'UTC', 'settings.contact.email': null })).toEqual({
      name: 'Acme',
      settings: { timezone: 'UTC', contact: { email: null } },
    });
  });
});
