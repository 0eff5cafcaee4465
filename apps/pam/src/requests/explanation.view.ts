import {
  type DecisionSource,
  type ExplanationNoteCode,
  type ExplanationRecord,
  type FailedCriterionRecord,
  MAX_SEEN,
  type NearMissRecord,
  type PlacedRuleRecord,
} from '@gatehouse/contracts-pam';
import {
  type Decision,
  type Explanation,
  failSafe,
  type NearMiss,
  type Outcome,
  type PlacedRule,
} from '@gatehouse/pam-domain';
import type { Editor } from './explained-requests.repository.ts';

/** What was decided, as it is stored. */
export interface RecordedDecision {
  readonly outcome: Outcome;
  readonly source: DecisionSource | null;
  readonly held: string | null;
}

/** An explanation with what surrounds it. */
export interface Explained {
  readonly basis: 'as_decided' | 'current';
  readonly rulebookVersion: number | null;
  readonly currentVersion: number;
  /** Null when the rulebook cannot be used. */
  readonly reasons: Explanation | null;
  /** Null when the decision was not, or not so, made. */
  readonly recorded: RecordedDecision | null;
  readonly editors: readonly Editor[];
  readonly notes: readonly ExplanationNoteCode[];
  /** Whether the request still waits for people, or would. */
  readonly isOpen: boolean;
  /** How long a request waits without a level that says so. */
  readonly pendingMinutes: number;
}

const placeView = ({ ruleId, name, origin, position, verdict }: PlacedRule): PlacedRuleRecord => ({
  ruleId,
  name,
  origin,
  position,
  verdict,
});

/** A command line may hold secrets, so not every reader sees it (PAM-305). */
function failedView(
  showsInput: boolean,
  { criterion, asked, seen, reason }: NearMiss['failed'],
): FailedCriterionRecord {
  const isHidden = criterion === 'commandLine' && !showsInput;
  return {
    criterion,
    asked,
    seen: isHidden ? null : (seen?.slice(0, MAX_SEEN) ?? null),
    seenLength: seen?.length ?? null,
    reason,
  };
}

const missView = (showsInput: boolean, { met, of, failed, ...place }: NearMiss): NearMissRecord => ({
  ...placeView(place),
  met,
  of,
  failed: failedView(showsInput, failed),
});

const decidedOf = ({ outcome, source, held }: Decision): RecordedDecision => ({ outcome, source, held });

const MAX_HITS = 10;

function shadowView({ shadow }: Decision): ExplanationRecord['shadow'] {
  if (!shadow || shadow.hits.length === 0) return null;
  return shadow.hits.slice(0, MAX_HITS).map(({ ruleId, outcome, held }) => ({ ruleId, outcome, held }));
}

function demandView({ demand }: Decision, { isOpen, pendingMinutes }: Explained): ExplanationRecord['demand'] {
  return demand && isOpen ? { ...demand, pendingMinutes: demand.pendingMinutes ?? pendingMinutes } : null;
}

const freezeView = (freeze: Explanation['freeze']): ExplanationRecord['freeze'] =>
  freeze && { ...freeze, expiresAt: freeze.expiresAt?.toISOString() ?? null };

const UNKNOWN: Explanation = {
  decision: failSafe(),
  policies: [],
  matched: null,
  nearestMisses: [],
  laterMatches: [],
  default: { verdict: 'require_approval', used: false },
  freeze: null,
  notes: [],
};

export function explanationView(showsInput: boolean, explained: Explained): ExplanationRecord {
  const { basis, rulebookVersion, currentVersion, editors, recorded } = explained;
  const reasons = explained.reasons ?? UNKNOWN;
  const { matched } = reasons;
  return {
    basis,
    rulebookVersion,
    currentVersion,
    ...(recorded ?? decidedOf(reasons.decision)),
    policies: [...reasons.policies],
    matched: matched && { ...placeView(matched), editors: editors.map(({ userId, name }) => ({ userId, name })) },
    nearestMisses: reasons.nearestMisses.map((miss) => missView(showsInput, miss)),
    laterMatches: reasons.laterMatches.map(placeView),
    default: reasons.default,
    demand: demandView(reasons.decision, explained),
    freeze: freezeView(reasons.freeze),
    shadow: shadowView(reasons.decision),
    notes: [...explained.notes, ...reasons.notes],
  };
}
