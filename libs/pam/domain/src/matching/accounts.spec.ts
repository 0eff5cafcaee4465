import { describe, expect, it } from '@jest/globals';
import { isKnownToBe, mayBe } from './accounts.ts';

describe('PAM-303 the accounts of a person', () => {
  it.each([
    'ann.lee@corp.example',
    'Ann.Lee@CORP.example',
    'CORP\\ann.lee',
    'corp/ANN.LEE',
    'corp.example\\ann.lee',
    'AzureAD\\ann.lee@corp.example',
    ' ann.lee@corp.example ',
  ])('%s is known to be the person with that address', (username) => {
    expect(isKnownToBe(ANN, username)).toBe(true);
    expect(mayBe(ANN, username)).toBe(true);
  });

  it.each(['ann.lee', '.\\ann.lee', 'OTHER\\ann.lee', 'ann.lee@other.example', 'AzureAD\\AnnLee', 'CORP\\ann+x_lee'])(
    '%s is not known to be the person, but for the last may be theirs',
    (username) => {
      expect(isKnownToBe(ANN, username)).toBe(false);
      expect(mayBe(ANN, username)).toBe(username !== 'CORP\\ann+x_lee');
    },
  );

  it.each([null, '', '\\', '@', 'bob', 'CORP\\bob', 'ann'])(
    '%s is nobody whom the product knows as this person',
    (username) => {
      expect(isKnownToBe(ANN, username)).toBe(false);
      expect(mayBe(ANN, username)).toBe(false);
    },
  );

  it('a domain in letters and its form in ASCII are one', () => {
    expect(isKnownToBe({ email: 'jo@xn--bcher-kva.example' }, 'jo@bücher.example')).toBe(true);
  });

  it('a person without an address has only a name', () => {
    expect(isKnownToBe({ email: null, name: 'Ann Lee' }, 'ann.lee')).toBe(false);
    expect(mayBe({ email: null, name: 'Ann Lee' }, 'annlee')).toBe(true);
    expect(mayBe({ email: 'ann+vpn@corp.example' }, 'CORP\\ann')).toBe(true);
  });
});

const ANN = { email: 'ann.lee@corp.example', name: 'Ann Lee' };
