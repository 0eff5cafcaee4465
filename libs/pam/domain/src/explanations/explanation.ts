import type {
  CriterionKey,
  DefaultVerdict,
  HierarchyLevel,
  PolicyMode,
  RuleOrigin,
  Verdict,
} from '@gatehouse/contracts-pam';
import type { Decision } from '../chain/decision.ts';
import type { Freeze } from '../rules/precautions.ts';

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
