import { describe, expect, it } from '@jest/globals';
import { chooseSubject } from './claim-mapping.ts';

describe('subjects of the format emailAddress (ATK-18a)', () => {
  it.each<[string, string[], string | null]>([
    ['Ada@Acme.example', [], 'ada@acme.example'],
    ['ada@acme.example', ['Ada@Acme.example'], 'Ada@Acme.example'],
    ['ADA@acme.example', ['ada@acme.example'], 'ada@acme.example'],
    ['Ada@acme.example', ['ada@acme.example', 'Ada@acme.example'], 'Ada@acme.example'],
    ['ada@acme.example', ['ada@acme.example', 'Ada@acme.example'], 'ada@acme.example'],
    ['ADA@acme.example', ['ada@acme.example', 'Ada@acme.example'], null],
    ['\u212Aate@acme.example', [], '\u212Aate@acme.example'],
  ])('%s beside %j is %j', (nameId, linked, expected) => {
    expect(chooseSubject(nameId, linked)).toBe(expected);
  });
});
