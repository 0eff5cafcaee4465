import {
  CRITERION_FIELDS,
  type CriterionField,
  type CriterionKey,
  type HierarchyLevel,
  type PolicyMode,
  type RuleMode,
  type RulePrecedence,
  type Verdict,
} from '@gatehouse/contracts-pam';

/** PAM-42: HH:MM in 24 h, both ends inclusive; days 0–6 from Sunday; UTC unless a zone is named. */
export interface TimeWindow {
  readonly start: string;
  readonly end: string;
  readonly days?: readonly number[] | null;
  readonly timezone?: string | null;
}

/** What the criteria ask for. A criterion that is null is not set; all others must match. */
export type Criteria = {
  readonly [F in CriterionField]: (F extends 'matchRiskTier' ? number : string) | null;
};

export interface RuleCriteria extends Criteria {
  readonly siteId: string | null;
  readonly matchNegate: readonly CriterionKey[] | null;
  readonly timeWindow: TimeWindow | null;
}

const FIELDS = Object.values(CRITERION_FIELDS);
/** The criteria whose value is a text that a person writes. */
export const TEXT_FIELDS = FIELDS.filter((field) => field !== 'matchSignerGroupId' && field !== 'matchRiskTier');

/** A stored rule, reduced to what a decision needs. */
export interface Rule extends RuleCriteria {
  readonly id: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** Null for the organisation's default. */
  readonly approvalDurationMinutes: number | null;
  readonly mode: RuleMode;
  /** From this instant on the rule does not match; null for never. */
  readonly expiresAt: Date | null;
}

/** A rule of the partner, by its place before or after the organisation's own. */
export interface PartnerRule extends Rule {
  readonly precedence: RulePrecedence;
}

/** Whether the rule has expired at an instant of the server's clock. */
export const hasExpired = ({ expiresAt }: Pick<Rule, 'expiresAt'>, at: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() <= at.getTime();

/** One line of a software policy; it matches if any of its fields matches. */
export interface SoftwareRule {
  readonly name: string;
  readonly sha256?: string | null;
  readonly signer?: string | null;
  readonly publisher?: string | null;
  readonly pathGlob?: string | null;
}

export interface SoftwarePolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: PolicyMode;
  readonly target: { readonly level: HierarchyLevel; readonly id: string };
  readonly rules: readonly SoftwareRule[];
}

export const NO_CRITERIA: RuleCriteria = {
  ...(Object.fromEntries(FIELDS.map((field) => [field, null])) as Record<CriterionField, null>),
  siteId: null,
  matchNegate: null,
  timeWindow: null,
};

/** The distance between the priorities of neighbours, so that a rule can later be put in between. */
const STEP = 10;

export interface Placed {
  readonly id: string;
  readonly priority: number;
}

/**
 * Puts the named rules into the named order, in the places that they hold together; the others stay where they are.
 * Priorities become 10, 20, ….
 * @param rules all rules of the organisation in the order of evaluation
 * @returns the rules whose priority changes
 */
export function reordered(rules: readonly Placed[], ids: readonly string[]): Placed[] {
  const named = new Set(ids);
  const priorities = new Map(rules.map(({ id, priority }) => [id, priority]));
  const waiting = ids.values();
  return rules.flatMap(({ id }, at) => {
    const next = named.has(id) ? waiting.next().value! : id;
    const priority = (at + 1) * STEP;
    return priorities.get(next) === priority ? [] : [{ id: next, priority }];
  });
}
