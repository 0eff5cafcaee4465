import type { FlowType, FreezeLevel, Verdict } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { aRule, aRulebook, AT_HQ, MONDAY_NOON, seen } from '../builders-spec.ts';
import {
  type ApprovalLevel,
  type ApprovalPolicy,
  decide,
  Effort,
  type Freeze,
  NO_JUSTIFICATION,
  type Observation,
  type Rule,
  type Rulebook,
  type RuleEditor,
  type SoftwarePolicy,
} from '../index.ts';

const cases = parse(readFileSync(new URL('./chain.yaml', import.meta.url), 'utf8')) as Case[];

describe('PAM-100 the chain of decision', () => {
  it.each(cases.map((each) => [each.case, each] as const))('%s', (_, each) => {
    const decision = decide(observationOf(each), rulebookOf(each), { holdsGrants: each.suspended ?? false });
    const { outcome, held, demand, shadow } = decision;
    expect({
      outcome,
      by: decision.rule?.name ?? (decision.policy ? 'policy' : 'none'),
      held,
      approvals: demand && demand.approvals,
      level: demand && demand.level,
      shadowed: shadow && shadow.hits.map((hit) => hit.held ?? hit.outcome),
    }).toEqual(expectationOf(each));
  });

  it('SHADOW-01 a shadow rule that exhausts its effort changes neither decision nor effort', () => {
    const rules = Array.from({ length: 2000 }, (_, n) =>
      aRule({ id: `s${n}`, mode: 'shadow', matchCommandLine: `${'a'.repeat(1000)}b${'a'.repeat(990)}` }),
    );
    const live = aRule({ id: 'live', verdict: 'auto_deny', matchCommandLine: 'a' });
    const observation = seen({ commandLine: 'a'.repeat(10_000) });
    const [without, withShadow] = [new Effort(), new Effort()];
    const expected = decide(observation, aRulebook({ rules: [live] }), { effort: without });
    const decision = decide(observation, aRulebook({ rules: [...rules, live] }), { effort: withShadow });
    expect({ ...decision, shadow: null }).toEqual(expected);
    expect(decision.shadow?.failed).toBe('effort_exceeded');
    expect(withShadow.spent).toBe(without.spent);
  });

  it('SHADOW-03 an error in the shadow pass is told and changes nothing', () => {
    const rulebook = aRulebook({
      rules: [...rulesOf(['deny'], 'shadow', { mode: 'shadow' }), ...rulesOf(['grant'], 'rule')],
    });
    const shadow = {
      positions: new Map<string, number>(),
      get rules(): never {
        throw new Error('broken on purpose');
      },
    };
    expect(decide(seen({ hash: 'h' }), { ...rulebook, shadow })).toMatchObject({
      outcome: 'auto_approved',
      shadow: { hits: [], failed: 'evaluator_error' },
    });
  });
});

type Word = 'grant' | 'deny' | 'ask' | 'ignore';

interface Case {
  readonly case: string;
  readonly rule?: Word;
  readonly expires?: string;
  readonly shadow?: Word[];
  readonly behind?: Word[];
  readonly policy?: boolean;
  readonly floor?: Word[];
  readonly freezes?: (FreezeLevel | 'elsewhere')[];
  readonly thawed?: boolean;
  readonly editors?: string[];
  readonly edited?: string;
  readonly author?: boolean;
  readonly separated?: boolean;
  readonly unjustified?: boolean;
  readonly suspended?: boolean;
  readonly broken?: boolean;
  readonly levels?: Omit<ApprovalLevel, 'pendingMinutes'>[];
  readonly path?: string;
  readonly user?: string;
  readonly flow?: FlowType;
  readonly requester?: string;
  readonly tier?: number;
  readonly expect: string;
  readonly by?: 'none' | 'floor' | 'policy';
  readonly held?: string;
  readonly approvals?: number;
  readonly level?: string;
  readonly shadowed?: string[];
}

const VERDICT_OF: Readonly<Record<Word, Verdict>> = {
  grant: 'auto_approve',
  deny: 'auto_deny',
  ask: 'require_approval',
  ignore: 'ignore',
};
const EVERYTHING = { matchHash: 'anything', matchNegate: ['hash'] } as const;
const rulesOf = (words: readonly Word[], name: string, overrides: Partial<Rule> = {}): Rule[] =>
  words.map((word, n) => aRule({ ...EVERYTHING, id: `${name}${n}`, name, verdict: VERDICT_OF[word], ...overrides }));

const TARGETS = {
  device: AT_HQ.deviceId,
  site: AT_HQ.siteId,
  organization: AT_HQ.orgId,
  partner: AT_HQ.partnerId,
  elsewhere: 'elsewhere',
};
const freezesOf = ({ freezes = [], thawed }: Case): Freeze[] =>
  freezes.map((level) => ({
    id: level,
    level: level === 'elsewhere' ? 'site' : level,
    targetId: TARGETS[level],
    mode: 'hold',
    expiresAt: thawed ? MONDAY_NOON : null,
  }));

const editorsOf = ({ editors = [], edited, author = false }: Case): RuleEditor[] =>
  editors.map((name) => ({
    userId: name,
    name,
    email: `${name}@corp.test`,
    isAuthor: author,
    editedAt: edited ? new Date(edited) : MONDAY_NOON,
  }));

const ALL_ALLOWED: SoftwarePolicy = {
  id: 'policy',
  name: 'policy',
  mode: 'allowlist',
  target: { level: 'site', id: AT_HQ.siteId },
  rules: [{ name: 'all', pathGlob: '**' }],
};

const approvalPolicyOf = ({ levels = [], separated: ruleEditors = true }: Case): ApprovalPolicy => ({
  levels: levels.map((level) => ({ ...level, pendingMinutes: 30 })),
  default: { approvals: 1, pendingMinutes: null },
  separation: { ruleEditors, aiRequester: false },
});

const rulesOfCase = ({ rule, expires, shadow = [], behind = [] }: Case): Rule[] => [
  ...rulesOf(shadow, 'shadow', { mode: 'shadow' }),
  ...rulesOf(rule ? [rule] : [], 'rule', { expiresAt: expires ? new Date(expires) : null }),
  ...rulesOf(behind, 'late', { mode: 'shadow' }),
];

const whole = (each: Case): Rulebook =>
  aRulebook({
    rules: rulesOfCase(each),
    floor: rulesOf(each.floor ?? [], 'floor'),
    policies: each.policy ? [ALL_ALLOWED] : [],
    freezes: freezesOf(each),
    editors: new Map([['rule0', editorsOf(each)]]),
    approvalPolicy: approvalPolicyOf(each),
    justification: { ...NO_JUSTIFICATION, prompts: { hold: each.unjustified ?? false } },
  });

const rulebookOf = (each: Case): Rulebook =>
  each.broken
    ? {
        ...whole(each),
        get rules(): never {
          throw new Error('broken on purpose');
        },
      }
    : whole(each);

const observationOf = ({
  flow = 'uac_intercept',
  path = 'C:\\Tools\\x.exe',
  user,
  tier,
  requester,
}: Case): Observation =>
  seen({
    flowType: flow,
    path,
    hash: 'h',
    username: user ?? null,
    riskTier: tier ?? null,
    ...(requester && { requesterId: requester }),
  });

const UNSAID = { by: 'rule', held: null, approvals: null, level: null, shadowed: null };
const expectationOf = ({ expect: outcome, by, held, approvals, level, shadowed }: Case): object => {
  const said = Object.entries({ by, held, approvals, level, shadowed }).filter(([, value]) => value !== undefined);
  return { outcome, ...UNSAID, ...Object.fromEntries(said) };
};
