import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRule, aRulebook, seen } from '../builders-spec.ts';
import { decide, foldCase, foldWidely, type Observation, type Rule, type SoftwareRule } from '../index.ts';

describe('ATK-31a a rule that denies', () => {
  const FORMS: readonly (readonly [string, Partial<Rule>, Partial<Observation>])[] = [
    ['a path in decomposed form', { matchPathGlob: 'C:/Jeux/Pok\u00e9/**' }, { path: 'C:\\Jeux\\Poke\u0301\\a.exe' }],
    ['a path in composed form', { matchPathGlob: 'C:/Jeux/Poke\u0301/*.exe' }, { path: 'C:\\Jeux\\Pok\u00e9\\a.exe' }],
    ['a path in fullwidth letters', { matchPathGlob: '**/mimikatz.exe' }, { path: 'C:\\Temp\\\uff4d\uff49mikatz.exe' }],
    [
      'a path in another case of its script',
      { matchPathGlob: 'C:/\u0418\u0433\u0440\u044b/**' },
      { path: 'C:\\\u0418\u0413\u0420\u042b\\a.exe' },
    ],
    ['a path with a ligature', { matchPathGlob: '**/office.exe' }, { path: 'C:\\o\ufb03ce.exe' }],
    ['a rule with a ligature', { matchPathGlob: '**/o\ufb03ce.exe' }, { path: 'C:\\office.exe' }],
    ['a final sigma', { matchPathGlob: '**/\u03c3\u03b1\u03c3.exe' }, { path: 'C:\\\u03c3\u03b1\u03c2.exe' }],
    ['a Kelvin sign', { matchPathGlob: '**/kit.exe' }, { path: 'C:\\\u212ait.exe' }],
    ['a command line', { matchCommandLine: 'passw\u00f6rter' }, { commandLine: 'x PASSWO\u0308RTER y' }],
    ['a user', { matchUser: 'J\u00f6rg' }, { username: 'JO\u0308RG' }],
    ['a parent image', { matchParentImage: 'br\u00fccke.exe' }, { parentImage: 'C:\\BRU\u0308CKE.exe' }],
    ['a group', { matchAdGroup: 'G\u00e4ste' }, { adGroups: ['GA\u0308STE'] }],
    ['a signer', { matchSigner: 'Soci\u00e9t\u00e9' }, { signer: 'SOCIE\u0301TE\u0301' }],
    ['a tool', { matchToolName: 'run\u00e9' }, { toolName: 'RUNE\u0301' }],
    ['a suspicious path', { matchPathGlob: 'C:/Pok\u00e9/**' }, { path: 'C:\\x\\..\\Poke\u0301\\a.exe' }],
    [
      'a form of one text and another of the next',
      { matchPathGlob: 'C:/Pok\u00e9/**', matchUser: 'J\u00f6rg' },
      { path: 'C:\\Pok\u00e9\\a.exe', username: 'Jo\u0308rg' },
    ],
  ];

  it.each(FORMS)('finds %s', (_, rule, observation) => {
    expect(outcomeOf({ ...rule, verdict: 'auto_deny' }, observation)).toBe('denied');
  });

  it.each(FORMS.slice(0, 5))('a grant does not: %s', (_, rule, observation) => {
    expect(outcomeOf({ ...rule, verdict: 'auto_approve' }, observation)).toBe('pending');
    expect(outcomeOf({ ...rule, verdict: 'ignore' }, observation)).toBe('pending');
  });

  it('finds a signer of a group in another form', () => {
    const rule = { verdict: 'auto_deny' as const, matchSignerGroupId: 'g' };
    expect(outcomeOf(rule, { signer: 'SOCIE\u0301TE\u0301' }, new Map([['g', ['Soci\u00e9t\u00e9']]]))).toBe('denied');
  });

  it('denies whatever it denied by the exact comparison, a negated criterion too', () => {
    const text = fc.stringMatching(/^[ae\u0301\u00e9K\u212a\uff4b/.]{1,8}$/);
    const glob = fc.stringMatching(/^[ae\u0301\u00e9K\u212a\uff4b/.*?]{1,8}$/);
    const tried = fc.record({
      matchPathGlob: glob,
      matchSigner: text,
      path: text,
      signer: text,
      negated: fc.boolean(),
    });
    fc.assert(
      fc.property(tried, ({ matchPathGlob, matchSigner, path, signer, negated }) => {
        const rule = { matchPathGlob, matchSigner, matchNegate: negated ? ['signer' as const] : null };
        const exact = outcomeOf({ ...rule, verdict: 'require_approval' }, { path, signer });
        const asked =
          decide(seen({ path, signer }), aRulebook({ rules: [aRule({ ...rule, verdict: 'require_approval' })] }))
            .rule !== null;
        expect(exact).toBe('pending');
        if (asked) expect(outcomeOf({ ...rule, verdict: 'auto_deny' }, { path, signer })).toBe('denied');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('ATK-31b a blocklist', () => {
  const LINES: readonly (readonly [Partial<SoftwareRule>, Partial<Observation>])[] = [
    [{ pathGlob: '**/Pok\u00e9.exe' }, { path: 'C:\\Poke\u0301.exe' }],
    [{ pathGlob: '**/tool.exe' }, { path: 'C:\\\uff54ool.exe' }],
    [{ signer: 'Soci\u00e9t\u00e9' }, { signer: 'SOCIE\u0301TE\u0301' }],
    [{ publisher: '\u0418\u0433\u0440\u044b' }, { publisher: '\u0418\u0413\u0420\u042b' }],
  ];

  it.each(LINES)('finds other forms of what it names, an allowlist does not: %j', (line, observation) => {
    expect([blocks(line, observation), blocks(line, observation, 'allowlist')]).toEqual(['denied', 'pending']);
  });

  it('compares hashes as they are', () => {
    expect(blocks({ sha256: 'a'.repeat(64) }, { hash: '\uff41'.repeat(64) })).toBe('pending');
  });

  const blocks = (
    line: Partial<SoftwareRule>,
    observation: Partial<Observation>,
    mode: 'blocklist' | 'allowlist' = 'blocklist',
  ): string => {
    const policies = [
      {
        id: 'p',
        name: 'p',
        mode,
        target: { level: 'organization' as const, id: 'org' },
        rules: [{ name: 'x', ...line }],
      },
    ];
    return decide(seen(observation), aRulebook({ policies })).outcome;
  };
});

describe('the wide folding', () => {
  it('adds to the folding of ASCII and changes nothing of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldWidely(foldCase(text))).toBe(foldWidely(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('takes every letter for the same in each of its cases, the capital sharp s too', () => {
    const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code));
    const apart = letters.filter((letter) =>
      [letter.toLowerCase(), letter.toUpperCase()].some((other) => foldWidely(other) !== foldWidely(letter)),
    );
    expect(apart).toEqual([]);
  });
});

const outcomeOf = (
  rule: Partial<Rule>,
  observation: Partial<Observation>,
  signerGroups = new Map<string, string[]>(),
): string => decide(seen(observation), aRulebook({ rules: [aRule(rule)], signerGroups })).outcome;
