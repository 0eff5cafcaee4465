import { CRITERION_KEYS, FLOW_TYPES, FREEZE_LEVELS, type Verdict, VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRule, aSource, AT_HQ, seen } from '../builders-spec.ts';
import {
  compileRulebook,
  decide,
  type Decision,
  type Freeze,
  NO_JUSTIFICATION,
  NO_PRECAUTIONS,
  type Observation,
  type Outcome,
  type Rule,
  type RulebookSource,
} from '../index.ts';

describe('the chain of decision', () => {
  it('becomes no more lenient by floor, holds and demand', () => {
    fc.assert(
      fc.property(observations, bare, later, (observation, base, { floor, ruleEditors, approvals, ...rest }) => {
        const source = sourceOf(base);
        const plain = decide(observation, compileRulebook(source));
        const full = decide(
          observation,
          compileRulebook({
            ...source,
            ...rest,
            floor,
            editors: new Map(
              base.rules.map(({ id }) => [
                id,
                [{ userId: 'ann', name: 'Ann', email: 'ann@corp.test', isAuthor: true, editedAt: null }],
              ]),
            ),
            approvalPolicy: {
              levels: [],
              default: { approvals, pendingMinutes: null },
              separation: { ruleEditors, aiRequester: false },
            },
          }),
        );
        expect(LENIENCY[full.outcome]).toBeLessThanOrEqual(LENIENCY[plain.outcome]);
        expect(full.demand === null).toBe(full.outcome !== 'pending');
      }),
      { numRuns: 3000 },
    );
  });

  it('PAM-260 becomes no more lenient by rules of the partner that come before', () => {
    const before = rulesWith(['auto_deny', 'require_approval'], 'live', 'b');
    fc.assert(
      fc.property(observations, bare, later, before, (observation, base, { floor }, added) => {
        const source = { ...sourceOf(base), floor };
        const plain = decide(observation, compileRulebook(source));
        const full = decide(observation, compileRulebook({ ...source, floor: [...added, ...floor] }));
        expect(LENIENCY[full.outcome]).toBeLessThanOrEqual(LENIENCY[plain.outcome]);
      }),
      { numRuns: 3000 },
    );
  });

  it('PAM-260 changes by rules of the partner that come after only what fell to the default', () => {
    fc.assert(
      fc.property(observations, bare, rulesWith(VERDICTS, null, 'a'), (observation, base, partnerRules) => {
        const source = sourceOf(base);
        const plain = decide(observation, compileRulebook(source));
        const full = decide(observation, compileRulebook({ ...source, partnerRules }));
        const fellToDefault = plain.rule === null && plain.policy === null;
        if (!fellToDefault) expect(withoutShadow(full)).toEqual(withoutShadow(plain));
        else expect(full.rule?.id ?? 'a').toMatch(/^a/);
      }),
      { numRuns: 3000 },
    );
  });

  it('lets holds turn grants, and what would be ignored, into pending requests and nothing else', () => {
    fc.assert(
      fc.property(observations, bare, later, (observation, base, { freezes: frozen, justification }) => {
        const source = sourceOf(base);
        const plain = decide(observation, compileRulebook(source));
        const held = decide(observation, compileRulebook({ ...source, freezes: frozen, justification }));
        if (plain.outcome === 'auto_approved') expect(['auto_approved', 'pending']).toContain(held.outcome);
        else expect(held.outcome).toBe(plain.outcome);
      }),
      { numRuns: 2000 },
    );
  });

  it('is not changed by shadow rules, nor by expired ones', () => {
    fc.assert(
      fc.property(observations, bare, (observation, base) => {
        const source = sourceOf(base);
        const counting = source.rules.filter(
          ({ mode, expiresAt }) => mode === 'live' && (expiresAt === null || expiresAt > observation.at),
        );
        const decision = decide(observation, compileRulebook(source));
        const expected = decide(observation, compileRulebook({ ...source, rules: counting }));
        expect(withoutShadow(decision)).toEqual(withoutShadow(expected));
      }),
      { numRuns: 3000 },
    );
  });

  it('tells of a shadow rule what it would have done as a live one', () => {
    fc.assert(
      fc.property(observations, bare, freezes, (observation, base, frozen) => {
        const source = { ...sourceOf(base), ...NO_PRECAUTIONS, freezes: frozen };
        const { shadow } = decide(observation, compileRulebook(source));
        const judgedAlone = source.rules.flatMap((rule) => {
          if (rule.mode === 'live') return [];
          const rules = source.rules.flatMap((each) =>
            each.id === rule.id ? [{ ...each, mode: 'live' as const }] : each.mode === 'live' ? [each] : [],
          );
          const { rule: decided, outcome, held } = decide(observation, compileRulebook({ ...source, rules }));
          return decided?.id === rule.id ? [{ ruleId: rule.id, outcome, held }] : [];
        });
        expect(shadow?.hits ?? []).toEqual(judgedAlone);
      }),
      { numRuns: 2000 },
    );
  });
});

const word = fc.constantFrom('acme', 'globex', 'ann', 'C:/tools/a.exe', 'C:/tools/../b.exe', ' ');
const maybe = fc.option(word, { nil: null });
const observations: fc.Arbitrary<Observation> = fc
  .record({
    flowType: fc.constantFrom(...FLOW_TYPES),
    username: maybe,
    path: maybe,
    hash: maybe,
    signer: maybe,
    riskTier: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
    requesterId: fc.constantFrom(null, 'ann', 'bob'),
    reason: fc.constantFrom(null, 'needed'),
  })
  .map(seen);

const rulesWith = (verdicts: readonly Verdict[], mode: Rule['mode'] | null, prefix: string): fc.Arbitrary<Rule[]> =>
  fc
    .array(
      fc.record({
        verdict: fc.constantFrom(...verdicts),
        mode: mode ? fc.constant(mode) : fc.constantFrom('live' as const, 'live' as const, 'shadow' as const),
        expiresAt: fc.constantFrom(null, null, new Date(0), new Date('2027-01-01Z')),
        matchUser: fc.option(word, { nil: null }),
        matchHash: fc.option(word, { nil: null }),
        matchSigner: fc.option(word, { nil: null }),
        matchNegate: fc.option(fc.subarray([...CRITERION_KEYS]), { nil: null }),
      }),
      { maxLength: 6 },
    )
    .map((list) => list.map((rule, n) => aRule({ ...rule, id: `${prefix}${n}`, name: `${prefix}${n}` })));

const IDS = { device: AT_HQ.deviceId, site: AT_HQ.siteId, organization: AT_HQ.orgId, partner: AT_HQ.partnerId };
const freezes: fc.Arbitrary<Freeze[]> = fc.array(
  fc.constantFrom(...FREEZE_LEVELS).map((level) => ({
    id: level,
    level,
    targetId: IDS[level],
    mode: 'hold' as const,
    expiresAt: null,
  })),
  { maxLength: 2 },
);

const bare = fc.record({ rules: rulesWith(VERDICTS, null, 'r'), deny: fc.boolean() });
const later = fc.record({
  floor: rulesWith(['auto_deny', 'require_approval'], 'live', 'f'),
  freezes,
  ruleEditors: fc.boolean(),
  justification: fc.boolean().map((hold) => ({ ...NO_JUSTIFICATION, prompts: { hold } })),
  approvals: fc.integer({ min: 1, max: 5 }),
});

const sourceOf = ({ rules, deny }: { rules: Rule[]; deny: boolean }): RulebookSource =>
  aSource({ rules, defaultVerdict: deny ? 'auto_deny' : 'require_approval' });

const LENIENCY: Readonly<Record<Outcome, number>> = { denied: 0, pending: 1, ignored: 2, auto_approved: 3 };

const withoutShadow = ({ shadow: _, ...decision }: Decision): object => decision;
