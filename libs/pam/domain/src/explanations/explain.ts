import type { RuleOrigin, RulePrecedence } from '@gatehouse/contracts-pam';
import { meetsPolicy } from '../chain/by-policy.ts';
import { matchingRules } from '../chain/by-rule.ts';
import type { DecideOptions, Decision, Hold } from '../chain/decision.ts';
import { freezeAt } from '../chain/holds.ts';
import { MatchContext } from '../chain/seen.ts';
import { decide } from '../decisions/decide.ts';
import { Effort, EffortExceeded } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import type { CompiledRule, RuleIndex } from '../rules/rule-index.ts';
import type { Rule } from '../rules/rule.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import type { CompiledPolicy } from '../rules/software-policy.ts';
import {
  checkedRule,
  type ExplainedPolicy,
  type Explanation,
  type ExplanationNote,
  LEFT,
  type NearMiss,
  type PlacedRule,
} from './failed-check.ts';

const MAX_POLICIES = 50;

const weightOf = ({ covers, matched, decided }: ExplainedPolicy): number =>
  decided ? 3 : matched ? 2 : covers ? 1 : 0;

/** The policies in the order of evaluation; of too many, those that say most. @throws EffortExceeded */
function explainedPolicies(
  policies: readonly CompiledPolicy[],
  seen: MatchContext,
  decidedBy: string | null,
): ExplainedPolicy[] {
  const all = policies.map((policy) => {
    const { id, name, mode, target } = policy;
    const covers = policy.covers(seen.observation.place);
    return {
      id,
      name,
      mode,
      level: target.level,
      covers,
      matched: covers && meetsPolicy(policy, seen),
      decided: id === decidedBy,
    };
  });
  const kept = new Set([...all].sort((one, other) => weightOf(other) - weightOf(one)).slice(0, MAX_POLICIES));
  return all.filter((policy) => kept.has(policy));
}

/** The most steps of an explanation, besides the decision: about 100 ms. */
const MAX_EXPLAINED_STEPS = 12_500_000;
/** Steps for listing the tests of one rule. */
const CHECK_STEPS = 200;
const MAX_RULES = 10;
/** The number of rules that are checked at a time. */
const PORTION = 50;

interface Placed {
  readonly rule: Rule;
  readonly place: PlacedRule;
  /** Whether the organisation has left the rule. */
  readonly isLeft: boolean;
}

const rulesOf = ({ rules }: RuleIndex): Rule[] => rules.map(({ rule }) => rule);

/** Every rule in the effective order: floor, the organisation's own, those of the partner. */
function placedRules({ floor, ordered, partnerRules, optedOut }: Rulebook): Placed[] {
  const leftOf = (precedence: RulePrecedence): readonly Rule[] =>
    optedOut.filter((rule) => rule.precedence === precedence);
  const parts: readonly (readonly [RuleOrigin, readonly Rule[], boolean])[] = [
    ['partner_before', rulesOf(floor), false],
    ['partner_before', leftOf('before'), true],
    ['organization', ordered, false],
    ['partner_after', rulesOf(partnerRules), false],
    ['partner_after', leftOf('after'), true],
  ];
  const inOrder = parts.flatMap(([origin, all, isLeft]) => all.map((rule) => ({ origin, rule, isLeft })));
  return inOrder.map(({ origin, rule, isLeft }, at) => {
    const { id: ruleId, name, siteId, verdict } = rule;
    return { rule, isLeft, place: { ruleId, name, siteId, origin, position: at + 1, verdict } };
  });
}

/** The floor is looked at last, whatever decided; what the organisation left of it explains why it did not hold. */
const isTried = ({ rule, place, isLeft }: Placed): boolean =>
  rule.mode === 'live' && (isLeft || place.origin !== 'partner_before');

const checksById = (indexes: readonly RuleIndex[]): ReadonlyMap<string, CompiledRule['checks']> =>
  new Map(indexes.flatMap(({ rules }) => rules.map(({ rule, checks }) => [rule.id, checks] as const)));

interface Reasons {
  policies: ExplainedPolicy[];
  misses: NearMiss[];
  later: PlacedRule[];
}

/** Who may see which rule. */
type Shows = (rule: PlacedRule) => boolean;

/** Gathers the reasons of one decision. */
class Reasoning {
  readonly reasons: Reasons = { policies: [], misses: [], later: [] };
  private readonly placed: readonly Placed[];
  private readonly checks: ReadonlyMap<string, CompiledRule['checks']>;

  constructor(
    private readonly rulebook: Rulebook,
    private readonly decision: Decision,
    private readonly shows: Shows,
  ) {
    this.placed = placedRules(rulebook);
    this.checks = checksById([rulebook.rules, rulebook.partnerRules, rulebook.optedOutChecks]);
  }

  get matched(): PlacedRule | null {
    return this.placed.find(({ rule }) => rule.id === this.decision.rule?.id)?.place ?? null;
  }

  /** Yields between portions of the work. @throws EffortExceeded */
  *gather(seen: MatchContext): Generator<void> {
    this.reasons.policies = explainedPolicies(this.rulebook.policies, seen, this.decision.policy?.id ?? null);
    const matching = this.matchingIds(seen);
    const deciding = this.placed.filter(isTried);
    const first = this.decision.policy ? 0 : deciding.findIndex(({ rule }) => matching.has(rule.id));
    const tried = first === -1 ? deciding : deciding.slice(0, first);
    const behind = deciding.slice(tried.length).filter(({ rule }) => matching.has(rule.id));
    this.reasons.later = behind.map(({ place }) => place).filter((place) => this.isLater(place));
    for (const [at, each] of tried.entries()) {
      if (at % PORTION === PORTION - 1) yield;
      this.note(each, seen);
    }
  }

  private isLater(place: PlacedRule): boolean {
    return place.ruleId !== this.decision.rule?.id && this.shows(place);
  }

  private matchingIds(seen: MatchContext): ReadonlySet<string> {
    const found = [this.rulebook.rules, this.rulebook.partnerRules].flatMap((rules) => [...matchingRules(rules, seen)]);
    return new Set(found.map(({ id }) => id));
  }

  private note({ rule, place, isLeft }: Placed, seen: MatchContext): void {
    const checks = this.checks.get(rule.id);
    if (!checks || !this.shows(place)) return;
    seen.raw.effort.spend(CHECK_STEPS);
    const { met, of, failed } = checkedRule(rule, checks(), seen.observation, seen.forms);
    if (isLeft) this.reasons.misses.push({ ...place, met, of: of + 1, failed: LEFT });
    else if (failed) this.reasons.misses.push({ ...place, met, of, failed });
  }
}

const nearest = (misses: readonly NearMiss[]): NearMiss[] =>
  [...misses].sort((one, other) => other.met - one.met || one.position - other.position).slice(0, MAX_RULES);

const FAILED: readonly (Hold | null)[] = ['evaluator_error', 'effort_exceeded'];
const isByDefault = ({ policy, rule, held }: Decision): boolean =>
  policy === null && rule === null && !FAILED.includes(held);

function noteOf(error: unknown): ExplanationNote {
  return error instanceof EffortExceeded ? 'effort_exceeded' : 'evaluator_error';
}

function* gathered(reasoning: Reasoning, observation: Observation): Generator<void, ExplanationNote[]> {
  try {
    yield* reasoning.gather(new MatchContext(observation, new Effort(MAX_EXPLAINED_STEPS)));
    return [];
  } catch (error) {
    return [noteOf(error)];
  }
}

/** What an explanation depends on besides observation and rulebook. */
export interface Asking {
  readonly circumstances?: DecideOptions;
  /** Whether the caller may see a rule. */
  readonly shows?: Shows;
}

/**
 * Explains the decision that {@link decide} makes: what decided, which rules came closest, and which came too late.
 * Yields between portions of the work, so that other work can go on in between.
 */
export function* explaining(
  observation: Observation,
  rulebook: Rulebook,
  { circumstances = {}, shows = () => true }: Asking = {},
): Generator<void, Explanation> {
  const decision = decide(observation, rulebook, circumstances);
  const reasoning = new Reasoning(rulebook, decision, shows);
  const notes = yield* gathered(reasoning, observation);
  const { policies, misses, later } = reasoning.reasons;
  return {
    decision,
    policies,
    matched: reasoning.matched,
    nearestMisses: nearest(misses),
    laterMatches: later.slice(0, MAX_RULES),
    default: { verdict: rulebook.defaultVerdict, used: isByDefault(decision) },
    freeze: freezeAt(rulebook, observation.place, observation.at),
    notes,
  };
}

/** {@link explaining} at once. */
export function explain(observation: Observation, rulebook: Rulebook, asking: Asking = {}): Explanation {
  const work = explaining(observation, rulebook, asking);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
