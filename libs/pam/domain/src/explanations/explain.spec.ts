import { describe, expect, it } from '@jest/globals';
import { aRule, aRulebook, seen } from '../builders-spec.ts';
import { explain, explaining, type Observation, type Rule } from '../index.ts';

describe('the nearest misses', () => {
  it.each<[string, Partial<Rule>, object]>([
    [
      'differs',
      { matchSigner: 'Globex' },
      { criterion: 'signer', asked: 'Globex', seen: 'Acme Corp', reason: 'differs' },
    ],
    ['is absent', { matchHash: 'f' }, { criterion: 'hash', asked: 'f', seen: null, reason: 'absent' }],
    [
      'is negated',
      { matchSigner: 'acme corp', matchNegate: ['signer'] },
      { criterion: 'signer', asked: 'acme corp', seen: 'Acme Corp', reason: 'negated' },
    ],
    [
      'is outside a time',
      { matchSigner: 'Acme Corp', timeWindow: { start: '01:00', end: '02:00', days: [1, 2], timezone: 'UTC' } },
      {
        criterion: 'timeWindow',
        asked: '01:00-02:00 days 1,2 UTC',
        seen: '2026-03-02T12:00:00.000Z',
        reason: 'outside',
      },
    ],
    [
      'has expired',
      { matchSigner: 'Acme Corp', expiresAt: new Date('2026-03-01Z') },
      { criterion: 'expiry', asked: '2026-03-01T00:00:00.000Z', seen: '2026-03-02T12:00:00.000Z', reason: 'outside' },
    ],
    [
      'is elsewhere',
      { matchSigner: 'Acme Corp', siteId: 'Branch' },
      { criterion: 'site', asked: 'Branch', seen: 'HQ', reason: 'differs' },
    ],
    ['is another tier', { matchRiskTier: 3 }, { criterion: 'riskTier', asked: '3', seen: '2', reason: 'differs' }],
  ])('name the first criterion that %s', (_, rule, failed) => {
    expect(missOf(rule)?.failed).toEqual(failed);
  });

  it('put the rule of which most criteria hold first, then the earlier one', () => {
    const rules = [
      aRule({ id: 'none', matchHash: 'f' }),
      aRule({ id: 'two', matchSigner: 'Acme Corp', matchPathGlob: 'C:/Tools/*', matchUser: 'bob' }),
      aRule({ id: 'one', matchSigner: 'Acme Corp', matchUser: 'bob' }),
      aRule({ id: 'another', matchSigner: 'Acme Corp', matchUser: 'eve' }),
    ];
    const { nearestMisses } = explain(seen(OBSERVED), aRulebook({ rules }));
    expect(nearestMisses.map(({ ruleId, met, of, position }) => [ruleId, met, of, position])).toEqual([
      ['two', 2, 3, 2],
      ['one', 1, 2, 3],
      ['another', 1, 2, 4],
      ['none', 0, 1, 1],
    ]);
  });

  it('WHY-03 hold no rule that the caller may not see', () => {
    const rules = [aRule({ id: 'seen', matchHash: 'f' }), aRule({ id: 'hidden', siteId: 'Branch', matchHash: 'f' })];
    const { nearestMisses } = explain(seen(OBSERVED), aRulebook({ rules }), { shows: ({ siteId }) => siteId === null });
    expect(nearestMisses.map(({ ruleId }) => ruleId)).toEqual(['seen']);
  });
});

describe('an explanation', () => {
  it('tells the rules that match behind the one that decided, which are no misses', () => {
    const rules = ['first', 'second', 'third'].map((id) => aRule({ id, name: id, matchSigner: 'Acme Corp' }));
    const { matched, nearestMisses, laterMatches } = explain(seen(OBSERVED), aRulebook({ rules }));
    expect([matched?.name, matched?.position, laterMatches.map(({ position }) => position), nearestMisses]).toEqual([
      'first',
      1,
      [2, 3],
      [],
    ]);
  });

  it('tells of policies whether they cover the device, match, and decided', () => {
    const lines = [{ name: 'tools', pathGlob: 'C:/Tools/*' }];
    const policies = [
      { id: 'a', name: 'audited', mode: 'audit' as const, target: { level: 'site' as const, id: 'HQ' }, rules: lines },
      {
        id: 'b',
        name: 'away',
        mode: 'blocklist' as const,
        target: { level: 'site' as const, id: 'Branch' },
        rules: lines,
      },
      {
        id: 'c',
        name: 'org',
        mode: 'allowlist' as const,
        target: { level: 'organization' as const, id: 'org' },
        rules: lines,
      },
    ];
    const rules = [aRule({ matchSigner: 'Acme Corp' })];
    const explained = explain(seen(OBSERVED), aRulebook({ policies, rules }));
    expect(explained.policies.map(({ name, covers, matched, decided }) => [name, covers, matched, decided])).toEqual([
      ['audited', true, true, false],
      ['away', false, false, false],
      ['org', true, true, true],
    ]);
    expect([explained.matched, explained.nearestMisses, explained.laterMatches.length]).toEqual([null, [], 1]);
  });

  it('WHY-04 takes turns over many rules, and ends when its effort is spent', () => {
    const rules = Array.from({ length: 5000 }, (_, n) =>
      aRule({ id: `${n}`, matchCommandLine: `${'a'.repeat(1000)}${n}` }),
    );
    const rulebook = aRulebook({ rules });
    const usual = [...explaining(seen({ commandLine: 'x' }), rulebook)];
    expect(usual.length).toBeGreaterThan(90);
    const { decision, notes } = explain(seen({ commandLine: 'a'.repeat(32_000) }), rulebook);
    expect([decision.outcome, notes]).toEqual(['pending', ['effort_exceeded']]);
  });
});

const OBSERVED: Partial<Observation> = {
  signer: 'Acme Corp',
  path: 'C:\\Tools\\setup.exe',
  username: 'CORP\\ann',
  riskTier: 2,
};
const missOf = (rule: Partial<Rule>, observed: Partial<Observation> = OBSERVED) =>
  explain(seen(observed), aRulebook({ rules: [aRule(rule)] })).nearestMisses[0];
