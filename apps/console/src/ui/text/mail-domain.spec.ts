import { describe, expect, it } from '@jest/globals';
import { shownAddress, shownDomain } from './mail-domain.ts';

describe('a mail domain on a page', () => {
  it.each([
    ['xn--bcher-kva.example', 'bücher.example'],
    ['mail.xn--bcher-kva.example', 'mail.bücher.example'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['corp.example', 'corp.example'],
  ])('FIELD-06: %s is shown as %s', (stored, shown) => expect(shownDomain(stored)).toBe(shown));

  it.each([
    ['of Latin and Cyrillic letters', 'xn--pple-43d.example'],
    ['that cannot be read', 'xn--99999999999.example'],
  ])('FIELD-06: one %s is shown as it is stored', (_, stored) => expect(shownDomain(stored)).toBe(stored));

  it('FIELD-06: an address keeps its local part', () => {
    expect(shownAddress('jo@xn--bcher-kva.example')).toBe('jo@bücher.example');
    expect(shownAddress('no address')).toBe('no address');
  });
});
