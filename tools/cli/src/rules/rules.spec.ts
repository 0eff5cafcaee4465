import { describe, expect, it } from '@jest/globals';
import { lineOf, plan } from './plan.ts';
import { fromYaml, type ListedRule, MEMBERS, type RuleInFile, toYaml } from './rules-file.ts';

const HASH = 'ab'.repeat(32);

describe('the file of rules', () => {
  it('round-trips: what was exported changes nothing', () => {
    expect(plan(LISTED, fromYaml(toYaml({ orgId: 'o' }, LISTED)), true)).toEqual([]);
  });

  it('leaves out what has its default, and names the organisation', () => {
    const text = toYaml({ orgId: 'o' }, LISTED.slice(0, 1));
    expect(text).toContain('gatehouse rules apply --org o');
    expect(text).toMatch(/rules:\n {2}- id: "1"\n {4}name: Rule 1\n {4}verdict: auto_approve\n/);
    expect(text).not.toContain('siteId');
  });

  it('keeps the place of a rule of the partner, and whether it may be left', () => {
    const ofPartner = { orgId: null, ownerScope: 'partner', precedence: 'before', optOut: 'allowed' } as const;
    const listed = [rule('1', { ...ofPartner, verdict: 'auto_deny' })];
    const text = toYaml({}, listed);
    expect(text).toContain('gatehouse rules apply --partner --file FILE');
    expect(text).toContain('precedence: before\n    optOut: allowed');
    expect(plan(listed, fromYaml(text), true)).toEqual([]);
    const withoutWayOut = fromYaml(text.replace('    optOut: allowed\n', ''));
    expect(plan(listed, withoutWayOut, false)).toMatchObject([{ kind: 'update', members: { optOut: 'none' } }]);
  });

  it.each([
    ['no YAML', 'rules: [', 'not YAML'],
    ['no list', 'rules: {}', 'no list `rules`'],
    ['no mapping', 'rules: [text]', 'rule 1 is not a mapping'],
    ['a misspelt member', 'rules: [{ name: a, verdict: ignore, matchHahs: x }]', 'rule 1: matchHahs is not known'],
    ['no verdict', 'rules: [{ name: a }]', 'rule 1: verdict is missing'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => fromYaml(text)).toThrow(message);
  });
});

describe('the plan', () => {
  const wanted = (changes: Partial<RuleInFile>): RuleInFile => ({
    name: 'Rule 1',
    verdict: 'auto_approve',
    matchHash: HASH,
    ...changes,
  });

  it('creates, updates by name or id, and deletes only when asked to', () => {
    const file = [wanted({ verdict: 'auto_deny' }), wanted({ name: 'New' })];
    const changes = plan(LISTED, file, true);
    expect(changes.map(lineOf)).toEqual(['update Rule 1: verdict', 'create New', 'delete Rule 2']);
    expect(plan(LISTED, file, false)).toHaveLength(2);
    expect(plan(LISTED, [wanted({ id: '2', name: 'Renamed' })], false)).toMatchObject([
      { kind: 'update', id: '2', members: { name: 'Renamed', matchPathGlob: null, timeWindow: null, enabled: true } },
    ]);
  });

  it('takes the same hash in capitals, and a priority that is left out, for no change', () => {
    expect(plan(LISTED, [wanted({ matchHash: HASH.toUpperCase() })], false)).toEqual([]);
  });

  it.each([
    ['an id that the organisation does not have', [wanted({ id: '9' })], 'no rule 9'],
    ['a rule twice', [wanted({}), wanted({ id: '1' })], 'twice'],
  ])('refuses %s', (_, file, message) => {
    expect(() => plan(LISTED, file, false)).toThrow(message);
  });

  it('refuses a name that several rules have', () => {
    const twins = [rule('1', { name: 'Twin' }), rule('2', { name: 'Twin' })];
    expect(() => plan(twins, [wanted({ name: 'Twin' })], false)).toThrow('give the id');
  });
});

const rule = (id: string, changes: Partial<ListedRule> = {}): ListedRule => ({
  ...(Object.fromEntries(MEMBERS.map((member) => [member, null])) as Record<(typeof MEMBERS)[number], null>),
  id,
  orgId: 'o',
  ownerScope: 'organization',
  name: `Rule ${id}`,
  verdict: 'auto_approve',
  priority: 10,
  enabled: true,
  matchHash: HASH,
  mode: 'live',
  shadowSince: null,
  lastMatchedAt: null,
  matches30d: 0,
  expired: false,
  updatedBy: null,
  version: 1,
  createdBy: null,
  createdByName: null,
  fromRequestId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  matchRiskTierStale: false,
  matchRiskTierValidTiers: null,
  ...changes,
});

const LISTED = [
  rule('1'),
  rule('2', {
    verdict: 'auto_deny',
    matchPathGlob: 'C:\\Temp\\**: "x"',
    timeWindow: { start: '08:00', end: '18:00', days: [1], timezone: 'Europe/Berlin' },
    matchNegate: ['pathGlob'],
    enabled: false,
  }),
];
