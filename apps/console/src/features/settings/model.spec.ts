import { describe, expect, it } from '@jest/globals';
import { changedSettings, isColor, patchOf, textOn, unreadableIn } from './model.ts';

describe('settings', () => {
  it.each([
    ['#000000', 'white', ['dark']],
    ['#ffffff', 'black', ['light']],
    ['#1b62b8', 'white', ['dark']],
    ['#767676', 'white', ['dark']],
    ['#777777', 'black', ['light', 'dark']],
  ])('%s carries %s text, and is no colour of links in %j', (color, text, schemes) => {
    expect(textOn(color)).toBe(text);
    expect(unreadableIn(color)).toEqual(schemes);
  });

  it.each(['', '#fff', 'red', '#12345g'])('%j is no colour', (color) => expect(isColor(color)).toBe(false));

  it('a patch nests what its fields name', () => {
    expect(patchOf({ name: 'Acme', 'settings.timezone': 'UTC', 'settings.contact.email': null })).toEqual({
      name: 'Acme',
      settings: { timezone: 'UTC', contact: { email: null } },
    });
  });

  it('an emptied text is emptied where the server keeps an empty one, and left as it is elsewhere', () => {
    const initial = {
      'settings.contact.phone': '1',
      'settings.contact.email': 'a@b.example',
      billingEmail: 'c@d.example',
    };
    const emptied = Object.fromEntries(Object.keys(initial).map((name) => [name, '']));
    expect(changedSettings(initial, emptied)).toEqual({ 'settings.contact.phone': '', billingEmail: null });
  });
});
