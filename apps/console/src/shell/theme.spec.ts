import { describe, expect, it } from '@jest/globals';
import { isColor, textOn, unreadableIn } from './theme.ts';

describe('the colour of a partner', () => {
  it.each([
    ['#000000', 'white', ['dark']],
    ['#ffffff', 'black', ['light']],
    ['#1b62b8', 'white', ['dark']],
    ['#767676', 'white', ['dark']],
    ['#777777', 'black', ['light', 'dark']],
  ])('%s carries %s text, and is too faint in %j', (color, text, schemes) => {
    expect(textOn(color)).toBe(text);
    expect(unreadableIn(color)).toEqual(schemes);
  });

  it.each(['', '#fff', 'red', '#12345g'])('%j is no colour', (color) => expect(isColor(color)).toBe(false));
});
