import { CRITERION_KEYS, VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRule, aRulebook, MONDAY_NOON, seen } from '../builders-spec.ts';
import { decide } from '../decisions/decide.ts';
import type { Observation } from '../matching/observation.ts';
import { processorMilliseconds } from '../processor-time-spec.ts';
import type { RuleCriteria } from '../rules/rule.ts';
import { SHIPPED_TOOL_CATALOG } from '../tools/tool-catalog.ts';
import { type LintRule, NO_USE } from './finding.ts';
import { lintRulebook, lintSteps } from './lint.ts';

describe('PAM-191 a rule called shadowed', () => {
  it('never decides in 10 000 observations', () => {
    let named = 0;
    const decided = fc.array(observations, { minLength: OBSERVATIONS_EACH, maxLength: OBSERVATIONS_EACH });
    fc.assert(
      fc.property(rulebooks, decided, (rules, each) => {
        const findings = lintRulebook(sourceOf(rules)).filter(({ code }) => code === 'shadowed');
        const shadowed = new Set(findings.map(({ ruleId }) => ruleId));
        named += shadowed.size;
        const rulebook = aRulebook({ rules, signerGroups: GROUPS });
        const deciding = each.map((observation) => decide(observation, rulebook).rule?.id ?? 'the default');
        expect(deciding.filter((id) => shadowed.has(id))).toEqual([]);
      }),
      { numRuns: RULEBOOKS },
    );
    expect(named).toBeGreaterThan(RULEBOOKS / 10);
  });
});

describe('PAM-191 LINT-02 the price of a large rulebook', () => {
  it('5000 rules take less than two seconds, in short steps', () => {
    const rules = Array.from({ length: 5000 }, (_, at) => ({
      ...aRule({ id: `${at}`, matchPathGlob: `C:\\Tools\\${'*'.repeat(1 + (at % 3))}${at}\\*.exe`, matchUser: 'ann' }),
      enabled: true,
      mode: 'live' as const,
      createdAt: MONDAY_NOON,
      expiresAt: null,
    }));
    const began = processorMilliseconds();
    let longest = 0;
    let last = began;
    for (const steps = lintSteps(sourceOf(rules)); !steps.next().done; last = processorMilliseconds())
      longest = Math.max(longest, processorMilliseconds() - last);
    expect(processorMilliseconds() - began).toBeLessThan(2000);
    expect(longest).toBeLessThan(200);
  });
});

const GROUPS = new Map([
  ['many', ['ACME', 'globex', 'Zoë']],
  ['few', ['acme']],
]);
const NAMES = ['acme', 'Acme', 'globex', 'Zoë', 'ZOË', 'ａcme', 'a\u200bcme'];
const PATHS = [
  'c:/tools/a.exe',
  'C:\\Tools\\sub\\a.exe',
  'C:\\Tools\\..\\a.exe',
  'a.exe',
  'C:\\Tools\\ａ.exe',
  'c:/b/ba.exe',
];
const GLOBS = [
  '**',
  '**/a.exe',
  'C:/tools/**',
  'C:\\Tools\\*',
  'c:/tools/a.exe',
  'c:/tools/sub/**',
  '**/*.exe',
  'c:/**/a.exe',
];
const PARTS = ['a', 'ab', 'A', 'b a'];
const name = fc.constantFrom(...NAMES);
const hash = fc.constantFrom('ab12', 'AB12', 'cd34');

const criterion: fc.Arbitrary<Partial<RuleCriteria>> = fc.oneof(
  name.map((matchSigner) => ({ matchSigner })),
  fc.constantFrom('many', 'few').map((matchSignerGroupId) => ({ matchSignerGroupId })),
  hash.map((matchHash) => ({ matchHash })),
  fc.constantFrom(...GLOBS).map((matchPathGlob) => ({ matchPathGlob })),
  fc.constantFrom(...PATHS).map((matchParentImage) => ({ matchParentImage })),
  fc.constantFrom(...PARTS).map((matchCommandLine) => ({ matchCommandLine })),
  name.map((matchUser) => ({ matchUser })),
  name.map((matchAdGroup) => ({ matchAdGroup })),
  name.map((matchToolName) => ({ matchToolName })),
  fc.integer({ min: 0, max: 2 }).map((matchRiskTier) => ({ matchRiskTier })),
  fc.constantFrom('HQ', 'Branch').map((siteId) => ({ siteId })),
);
const rule: fc.Arbitrary<LintRule> = fc
  .record({
    criteria: fc.array(criterion, { minLength: 1, maxLength: 3 }),
    verdict: fc.constantFrom(...VERDICTS),
    negated: fc.option(fc.constantFrom(...CRITERION_KEYS), { nil: null, freq: 2 }),
  })
  .map(({ criteria, verdict, negated }) => ({
    ...aRule({ ...Object.assign({}, ...criteria), verdict, matchNegate: negated && [negated] }),
    enabled: true,
    mode: 'live',
    createdAt: MONDAY_NOON,
    expiresAt: null,
  }));
const rulebooks = fc
  .array(rule, { minLength: 2, maxLength: 12 })
  .map((rules) => rules.map((each, at) => ({ ...each, id: `${at}` })));

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 4 });
const observations: fc.Arbitrary<Observation> = fc
  .record({
    flowType: fc.constantFrom('uac_intercept' as const, 'ai_tool_action' as const),
    username: maybe(name),
    path: maybe(fc.constantFrom(...PATHS)),
    hash: maybe(hash),
    signer: maybe(name),
    parentImage: maybe(fc.constantFrom(...PATHS)),
    commandLine: maybe(fc.constantFrom('xab a', 'b', 'ab')),
    adGroups: fc.array(name, { maxLength: 2 }),
    toolName: maybe(name),
    riskTier: maybe(fc.integer({ min: 0, max: 2 })),
  })
  .map(seen);

const sourceOf = (rules: readonly LintRule[]) => ({
  rules,
  signerGroups: GROUPS,
  siteIds: new Set(['HQ', 'Branch']),
  catalog: SHIPPED_TOOL_CATALOG,
  use: NO_USE,
  at: MONDAY_NOON,
});

const RULEBOOKS = 500;
const OBSERVATIONS_EACH = 40;
