import type { FindingCode } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { aRule, MONDAY_NOON } from '../builders-spec.ts';
import type { RuleCriteria } from '../rules/rule.ts';
import { SHIPPED_TOOL_CATALOG } from '../tools/tool-catalog.ts';
import { type Finding, type LintRule, type LintSource, NO_USE } from './finding.ts';
import { lintRule, lintRulebook } from './lint.ts';

const HASH = 'a'.repeat(64);
const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(MONDAY_NOON.getTime() + days * DAY_MS);

const SAFE: Partial<LintRule> = { matchHash: HASH };

describe('PAM-190 findings about one rule', () => {
  it.each<[FindingCode | null, Partial<LintRule>]>([
    [null, SAFE],
    ['unreachable', { ...SAFE, siteId: 'gone' }],
    [null, { ...SAFE, siteId: 'HQ' }],
    ['unreachable', { ...SAFE, matchSignerGroupId: 'gone' }],
    ['unreachable', { ...SAFE, matchSignerGroupId: 'empty' }],
    [null, { ...SAFE, matchSignerGroupId: 'empty', matchNegate: ['signerGroup'] }],
    ['unreachable', { matchToolName: 'read_file', matchRiskTier: 4, verdict: 'auto_deny' }],
    [null, { matchToolName: 'read_file', matchRiskTier: 1 }],
    ['user_writable_path', { matchPathGlob: 'C:\\Users\\*\\Downloads\\*.exe', matchSigner: 'Acme' }],
    [null, { matchPathGlob: 'C:\\Users\\*\\Downloads\\*.exe', matchHash: HASH }],
    ['user_writable_path', { matchPathGlob: 'C:\\Users\\**', matchHash: HASH, matchNegate: ['hash'] }],
    [
      'user_writable_path',
      { matchPathGlob: 'C:\\Program Files\\**', matchNegate: ['pathGlob'], matchCommandLine: '/x' },
    ],
    [null, { matchPathGlob: 'C:\\Users\\**', verdict: 'require_approval' }],
    [null, { matchPathGlob: 'C:\\Users\\**', verdict: 'auto_deny' }],
    ['user_writable_path', { matchPathGlob: '**/setup.exe', verdict: 'ignore' }],
    [null, { matchPathGlob: 'C:\\Program Files\\Acme\\*.exe', verdict: 'ignore' }],
    ['name_only_signer', { matchSigner: 'Acme' }],
    ['name_only_signer', { matchSignerGroupId: 'tools', matchUser: 'ann', siteId: 'HQ' }],
    [null, { matchSigner: 'Acme', matchHash: HASH }],
    [null, { matchSigner: 'Acme', matchPathGlob: 'C:\\Program Files\\Acme\\**' }],
    [null, { matchSigner: 'Acme', verdict: 'require_approval' }],
    ['interpreter', { matchPathGlob: 'C:\\Windows\\System32\\cmd.exe' }],
    ['interpreter', { matchPathGlob: 'C:\\Windows\\System32\\*.exe' }],
    ['interpreter', { matchPathGlob: 'C:\\Windows\\System32\\cmd.exe', matchHash: HASH, matchSigner: 'Microsoft' }],
    [null, { matchPathGlob: 'C:\\Windows\\System32\\cmd.exe', matchCommandLine: '/c backup.cmd' }],
    [null, { matchPathGlob: 'C:\\Windows\\System32\\cmd.exe', verdict: 'auto_deny' }],
    ['broad', { matchUser: 'ann' }],
    ['broad', { matchAdGroup: 'admins', matchParentImage: 'explorer.exe' }],
    ['broad', { matchRiskTier: 1 }],
    ['broad', { matchHash: HASH, matchNegate: ['hash'] }],
    [null, { matchToolName: 'read_file', matchUser: 'ann' }],
    ['unused', { ...SAFE, createdAt: inDays(-61) }],
    [null, { ...SAFE, createdAt: inDays(-59) }],
    [null, { ...SAFE, createdAt: inDays(-61), mode: 'shadow' }],
    ['expired', { matchUser: 'ann', expiresAt: MONDAY_NOON }],
    ['expiring', { ...SAFE, expiresAt: inDays(14) }],
    [null, { ...SAFE, expiresAt: inDays(15) }],
    [null, { matchUser: 'ann', siteId: 'gone', enabled: false }],
  ])('%s: %j', (code, rule) => expect(codes(rule)).toEqual(code === null ? [] : [code]));

  it('looks at the use of a rule', () => {
    const old = { ...SAFE, id: 'r', createdAt: inDays(-400) };
    const matched = (days: number) => ({ use: { ...NO_USE, lastMatchedAt: new Map([['r', inDays(days)]]) } });
    expect([codes(old, matched(-59)), codes(old, matched(-61))]).toEqual([[], ['unused']]);
    const use = { ...NO_USE, selfServing: new Set(['r']) };
    expect(codes({ ...SAFE, id: 'r' }, { use })).toEqual(['self_serving']);
  });
});

describe('PAM-190 LINT-01 folders that a standard user can write to, however they are spelled', () => {
  it.each([
    'c:/users/ann/**',
    'C:\\\\Users\\*\\x.exe',
    '\\\\?\\C:\\Users\\**',
    '?:\\users\\*\\*.exe',
    '**\\x.exe',
    'C:\\**',
    'C:\\*\\*\\x.exe',
    'C:\\x.exe',
    '*\\x.exe',
    'C:\\Ｕsers\\ann\\x.exe',
    'C:\\U\u200bsers\\ann\\x.exe',
    'C:\\Program Files\\..\\Users\\ann\\x.exe',
    'C:\\Users.\\ann\\x.exe',
    'C:\\ProgramData\\Acme\\x.exe',
    'C:\\Program*\\x.exe',
    'D:\\Windows\\Te?p\\x.exe',
    'C:\\Users\\Public\\**',
    '/home/*/bin/*',
  ])('%s', (matchPathGlob) => expect(codes({ matchPathGlob })).toContain('user_writable_path'));

  it.each([
    'C:\\Program Files\\**',
    'C:\\Program Files\\*\\x.exe',
    'C:\\Windows\\Tasksched\\**',
    '\\\\server\\share\\**',
    '/usr/bin/*',
    'x.exe',
  ])('not %s', (matchPathGlob) => expect(codes({ matchPathGlob })).not.toContain('user_writable_path'));
});

describe('PAM-191 rules that another one hides', () => {
  const EQUAL = ['shadowed', 'duplicate'];
  const WEEKDAYS = { start: '08:00', end: '17:00', days: [1, 2], timezone: 'Europe/Zurich' };
  it.each<[string, Partial<LintRule>, Partial<LintRule>, string[]]>([
    ['the same criteria', SAFE, { matchHash: HASH.toUpperCase() }, EQUAL],
    ['fewer criteria', { matchSigner: 'acme' }, { matchSigner: 'Acme', matchUser: 'ann' }, ['shadowed']],
    ['more criteria', { matchSigner: 'Acme', matchUser: 'ann' }, { matchSigner: 'Acme' }, []],
    ['a folder', { matchPathGlob: 'C:\\Tools\\**' }, { matchPathGlob: 'c:/tools/a/*.exe' }, ['shadowed']],
    ['a folder by its beginning', { matchPathGlob: 'C:\\Tools\\**' }, { matchPathGlob: 'c:/tools2/a.exe' }, []],
    ['a name', { matchPathGlob: '**/a.exe' }, { matchPathGlob: 'C:\\Tools\\a.exe' }, ['shadowed']],
    ['a name by its end', { matchPathGlob: '**/a.exe' }, { matchPathGlob: 'C:\\Tools\\ba.exe' }, []],
    ['any path', { matchPathGlob: '**' }, { matchPathGlob: 'C:\\Tools\\a.exe' }, ['shadowed']],
    ['a group', { matchSignerGroupId: 'tools' }, { matchSigner: 'beta' }, ['shadowed']],
    ['a smaller group', { matchSignerGroupId: 'tools' }, { matchSignerGroupId: 'acme' }, ['shadowed']],
    ['a larger group', { matchSignerGroupId: 'acme' }, { matchSignerGroupId: 'tools' }, []],
    ['a part', { matchCommandLine: 'a' }, { matchCommandLine: 'Back' }, ['shadowed']],
    ['an image', { matchParentImage: 'a.exe' }, { matchParentImage: 'C:\\a.exe' }, ['shadowed']],
    ['one site', { ...SAFE, siteId: 'HQ' }, SAFE, []],
    ['every site', SAFE, { ...SAFE, siteId: 'HQ' }, ['shadowed']],
    ['a time', { ...SAFE, timeWindow: WEEKDAYS }, SAFE, []],
    ['another time', { ...SAFE, timeWindow: WEEKDAYS }, { ...SAFE, timeWindow: { ...WEEKDAYS, end: '16:00' } }, []],
    ['the same time', { ...SAFE, timeWindow: WEEKDAYS }, { ...SAFE, timeWindow: { ...WEEKDAYS } }, EQUAL],
    ['a negation', { matchUser: 'ann', matchNegate: ['user'] }, { matchUser: 'bob' }, ['shadowed']],
    ['its own negation', { matchUser: 'ann', matchNegate: ['user'] }, { matchUser: 'Ann' }, []],
    ['an end before', { ...SAFE, expiresAt: inDays(30) }, SAFE, ['duplicate']],
    ['an end after', { ...SAFE, expiresAt: inDays(30) }, { ...SAFE, expiresAt: inDays(20) }, EQUAL],
    ['a disabled rule', { ...SAFE, enabled: false }, SAFE, []],
    ['a shadow rule', { ...SAFE, mode: 'shadow' }, SAFE, ['duplicate']],
    ['a denial that sees more', SAFE, { ...SAFE, verdict: 'auto_deny' }, ['duplicate']],
    ['two denials', { ...SAFE, verdict: 'auto_deny' }, { ...SAFE, verdict: 'auto_deny' }, EQUAL],
    [
      'a denial in another script',
      { matchUser: 'Zoë', verdict: 'auto_deny' },
      { matchUser: 'Zoë', verdict: 'auto_deny' },
      ['duplicate'],
    ],
  ])('%s', (_, one, other, expected) => {
    const found = pair(one, other);
    expect(codesOf(found)).toEqual(expected);
    expect(found.every(({ ruleId, otherRuleId }) => ruleId === 'other' && otherRuleId === 'one')).toBe(true);
  });

  it('lints one rule as it lints all', () => {
    const rules = [SAFE, { matchUser: 'ann' }, { ...SAFE, matchUser: 'ann' }].map((rule, at) =>
      linted({ id: `${at}`, ...rule } satisfies Partial<LintRule & RuleCriteria>),
    );
    const source = sourceOf(rules);
    const all = lintRulebook(source);
    for (const { id } of rules) expect(lintRule(source, id)).toEqual(all.filter(({ ruleId }) => ruleId === id));
    expect(lintRule(source, 'unknown')).toEqual([]);
  });

  const pair = (one: Partial<LintRule>, other: Partial<LintRule>): Finding[] =>
    lintRulebook(
      sourceOf([
        linted({ id: 'one', verdict: 'require_approval', ...one }),
        linted({ id: 'other', verdict: 'require_approval', ...other }),
      ]),
    ).filter(({ code }) => code === 'shadowed' || code === 'duplicate');
});

const linted = (overrides: Partial<LintRule> = {}): LintRule => ({
  ...aRule(overrides),
  enabled: true,
  mode: 'live',
  createdAt: inDays(-1),
  expiresAt: null,
  ...overrides,
});

const sourceOf = (rules: readonly LintRule[], overrides: Partial<LintSource> = {}): LintSource => ({
  rules,
  signerGroups: new Map([
    ['tools', ['Acme', 'Beta']],
    ['acme', ['ACME']],
    ['empty', []],
  ]),
  siteIds: new Set(['HQ']),
  catalog: SHIPPED_TOOL_CATALOG,
  use: NO_USE,
  at: MONDAY_NOON,
  ...overrides,
});

const codesOf = (findings: readonly Finding[]): FindingCode[] => findings.map(({ code }) => code);
const codes = (rule: Partial<LintRule>, overrides: Partial<LintSource> = {}): FindingCode[] =>
  codesOf(lintRulebook(sourceOf([linted(rule)], overrides)));
