import { describe, expect, it } from '@jest/globals';
import { foldCharacter, foldName } from './folded-name.ts';

const SAME = [
  ['ΔΗΜΟΣ ΡΟΔΟΥ', 'Δημος Ροδου'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İlker Şahin', 'i\u0307lker şahin'],
  ['I\u0307lker', 'İLKER'],
  ['Zoe\u0308  Müller', 'Zoë Müller'],
  ['Anna\u00a0Berg', ' anna berg\u2003'],
  ['Anna\t\r\nBerg', 'ANNA BERG'],
  ['\u212Aelvin', 'kelvin'],
  ['\u1E9E', 'ß'],
  ['\u00B5', '\u03BC'],
  ['ſaal', 'SAAL'],
  ['\uABB0', '\u13E0'],
] as const;
const DIFFERENT = [
  ['Straße', 'Strasse'],
  ['ILKER', 'ılker'],
  ['ILKER', 'İlker'],
  ['Müller', 'Muller'],
  ['ﬁnance', 'finance'],
  ['Anna Berg', 'AnnaBerg'],
] as const;

describe('the folding of names', () => {
  it.each(SAME)('TEN-100 compares %j and %j as one name', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  it.each(DIFFERENT)('TEN-100 compares %j and %j as two names', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  it('TEN-100 folds a folded name to itself', () => {
    for (const name of [...SAME, ...DIFFERENT].flat()) expect(foldName(foldName(name))).toBe(foldName(name));
  });

  it('TEN-100 folds the case of characters as Unicode simple case folding does', () => {
    const characters = Array.from({ length: 0x2_00_00 }, (_, code) => code)
      .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
      .map((code) => String.fromCodePoint(code))
      .filter((one) => one.normalize('NFC') === one)
      .filter((one) => one.toUpperCase() !== one || one.toLowerCase() !== one || foldCharacter(one) !== one);
    const text = characters.join('');
    const classes = new Map<string, string>();
    for (const one of characters) classes.set(foldName(one), (classes.get(foldName(one)) ?? '') + one);
    const differing = characters.filter((one) => {
      // Regular expressions with the flags i and u compare by simple case folding.
      const alike = text.match(new RegExp(`\\u{${one.codePointAt(0)?.toString(16)}}`, 'giu')) ?? [];
      return alike.join('') !== classes.get(foldName(one));
    });
    expect(differing).toEqual([]);
  });
});
