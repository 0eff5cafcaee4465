import {
  CRITERION_FIELDS,
  type CriterionKey,
  type DefaultVerdict,
  type HierarchyLevel,
  type PolicyMode,
  type RuleOrigin,
  type Verdict,
} from '@gatehouse/contracts-pam';
import { presentOrNull } from '@gatehouse/windows-paths';
import type { Decision } from '../chain/decision.ts';
import type { Observation } from '../matching/observation.ts';
import type { Forms } from '../matching/subject.ts';
import type { Freeze } from '../rules/precautions.ts';
import type { RuleCheck } from '../rules/rule-match.ts';
import { hasExpired, type Rule, type TimeWindow } from '../rules/rule.ts';

/** A rule at its place in the effective order, which counts from 1. */
export interface PlacedRule {
  readonly ruleId: string;
  readonly name: string;
  readonly siteId: string | null;
  readonly origin: RuleOrigin;
  readonly position: number;
  readonly verdict: Verdict;
}

/** Why a criterion did not hold. */
export interface FailedCheck {
  readonly criterion: CriterionKey | 'site' | 'timeWindow' | 'expiry' | 'optOut';
  readonly asked: string;
  /** Null when the observation has no such value. */
  readonly seen: string | null;
  readonly reason: 'differs' | 'absent' | 'negated' | 'outside';
}

/** A rule that was tried before the decision and did not match. */
export interface NearMiss extends PlacedRule {
  /** The number of criteria that held, of those that the rule has. */
  readonly met: number;
  readonly of: number;
  /** The first criterion that did not hold, in the order of evaluation. */
  readonly failed: FailedCheck;
}

export interface ExplainedPolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: PolicyMode;
  readonly level: HierarchyLevel;
  readonly covers: boolean;
  readonly matched: boolean;
  readonly decided: boolean;
}

/** A limit of an explanation. */
export type ExplanationNote = 'effort_exceeded' | 'evaluator_error';

export interface Explanation {
  readonly decision: Decision;
  readonly policies: readonly ExplainedPolicy[];
  readonly matched: PlacedRule | null;
  readonly nearestMisses: readonly NearMiss[];
  /** Rules that match too, behind what decided. */
  readonly laterMatches: readonly PlacedRule[];
  readonly default: { readonly verdict: DefaultVerdict; readonly used: boolean };
  /** The freeze that covers the device. */
  readonly freeze: Freeze | null;
  readonly notes: readonly ExplanationNote[];
}

/** The facts of an observation that have another name than the criterion about them. */
const OTHER_NAMES = { signerGroup: 'signer', pathGlob: 'path', user: 'username', adGroup: 'adGroups' } as const;
type Named = keyof typeof OTHER_NAMES;
const isNamed = (key: CriterionKey): key is Named => key in OTHER_NAMES;

function seenBy(key: CriterionKey, observation: Observation): string | null {
  const fact = observation[isNamed(key) ? OTHER_NAMES[key] : key];
  if (typeof fact === 'number') return String(fact);
  return presentOrNull(fact === null || typeof fact === 'string' ? fact : fact.join(', '));
}

const windowText = ({ start, end, days, timezone }: TimeWindow): string =>
  [`${start}-${end}`, days && `days ${days.join(',')}`, timezone ?? 'UTC'].filter(Boolean).join(' ');

function failureOf({ criterion }: RuleCheck, rule: Rule, observation: Observation): FailedCheck {
  if (criterion === 'site')
    return { criterion, asked: rule.siteId ?? '', seen: observation.place.siteId, reason: 'differs' };
  if (criterion === 'timeWindow') {
    const asked = rule.timeWindow ? windowText(rule.timeWindow) : '';
    return { criterion, asked, seen: observation.at.toISOString(), reason: 'outside' };
  }
  const seen = seenBy(criterion, observation);
  const compared = rule.matchNegate?.includes(criterion) ? 'negated' : 'differs';
  return {
    criterion,
    asked: String(rule[CRITERION_FIELDS[criterion]] ?? ''),
    seen,
    reason: seen === null ? 'absent' : compared,
  };
}

const expiryOf = ({ expiresAt }: Rule, { at }: Observation): FailedCheck => ({
  criterion: 'expiry',
  asked: expiresAt?.toISOString() ?? '',
  seen: at.toISOString(),
  reason: 'outside',
});

/** The failed check of a rule of the partner that the organisation has left. */
export const LEFT: FailedCheck = { criterion: 'optOut', asked: 'in force', seen: 'left', reason: 'outside' };

export interface CheckedRule {
  readonly met: number;
  readonly of: number;
  /** Null when every criterion holds. */
  readonly failed: FailedCheck | null;
}

/** Checks every criterion of a rule, its expiry first. @throws EffortExceeded */
export function checkedRule(
  rule: Rule,
  checks: readonly RuleCheck[],
  observation: Observation,
  forms: Forms,
): CheckedRule {
  const failed = checks.filter(({ holds }) => !holds(forms));
  const expired = hasExpired(rule, observation.at);
  const expiries = rule.expiresAt === null ? 0 : 1;
  const of = checks.length + expiries;
  const met = of - failed.length - (expired ? 1 : 0);
  if (expired) return { met, of, failed: expiryOf(rule, observation) };
  return { met, of, failed: failed[0] ? failureOf(failed[0], rule, observation) : null };
}
