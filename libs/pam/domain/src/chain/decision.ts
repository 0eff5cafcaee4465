import type { DecisionSource } from '@gatehouse/contracts-pam';
import { type Effort, EffortExceeded } from '../matching/effort.ts';
import type { Demand } from './approval-demand.ts';

export type Outcome = 'pending' | 'auto_approved' | 'denied' | 'ignored';

/** A reason for which a grant or an ignore became pending. */
export const HOLDS = [
  'evaluator_error',
  'effort_exceeded',
  'suspicious_observation',
  'not_ignorable',
  'organization_suspended',
  'frozen',
  'approval_level',
  'separation_of_duties',
  'justification_missing',
] as const;
export type Hold = (typeof HOLDS)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What one shadow rule would have made of the observation. */
export interface ShadowHit {
  readonly ruleId: string;
  readonly outcome: Outcome;
  readonly held: Hold | null;
}

export interface ShadowPass {
  /** In the order of the rules. */
  readonly hits: readonly ShadowHit[];
  /** Why the pass ended early; null when it looked at every shadow rule. */
  readonly failed: 'evaluator_error' | 'effort_exceeded' | null;
}

/** A rule or policy and the number of steps that matching it took. */
export interface Costly extends Named {
  readonly type: 'pam.rule' | 'pam.software_policy';
  readonly steps: number;
}

/** Who must not vote on a pending request, by the policy at the time of the request. */
export interface Barred {
  /** The editors of what the verdict depends on; null where editors may vote, and where there are none. */
  readonly editors: readonly string[] | null;
  readonly aiRequester: boolean;
}

export interface Decision {
  readonly outcome: Outcome;
  /** The source of the decision; null while a technician has to decide. */
  readonly source: DecisionSource | null;
  readonly policy: Named | null;
  /** The rule that matched, even if its verdict leaves the decision to a technician. */
  readonly rule: Named | null;
  /** Minutes that an approval lasts; null unless approved. */
  readonly approvalMinutes: number | null;
  /** Matching policies in audit mode, the first few of them. They are recorded and have no effect. */
  readonly audited: readonly Named[];
  /** The number of further matches. */
  readonly auditedOmitted: number;
  /** Why a grant or an ignore was withheld. */
  readonly held: Hold | null;
  /** If the effort limit was exceeded, the rule or policy that took the most steps. */
  readonly costliest: Costly | null;
  /** The approvals that a pending request needs; null for other outcomes. */
  readonly demand: Demand | null;
  /** Who must not vote on a pending request; null for other outcomes. */
  readonly barred: Barred | null;
  /** Whether a pending request is only approved with a ticket; null when no rulebook was usable. */
  readonly needsTicket: boolean | null;
  /** Null without shadow rules, and after a decision that failed. */
  readonly shadow: ShadowPass | null;
}

/** Inputs of a decision besides the observation and the rulebook. */
export interface DecideOptions {
  readonly effort?: Effort;
  /** True for a suspended organisation: automatic grants become pending. */
  readonly holdsGrants?: boolean;
}

export const named = ({ id, name }: Named): Named => ({ id, name });

/** One approval, within the time that the service sets. */
export const ONE_PERSON: Demand = { approvals: 1, pendingMinutes: null, level: null };

export const UNDECIDED: Decision = {
  outcome: 'pending',
  source: null,
  policy: null,
  rule: null,
  approvalMinutes: null,
  audited: [],
  auditedOmitted: 0,
  held: null,
  costliest: null,
  demand: ONE_PERSON,
  barred: null,
  needsTicket: null,
  shadow: null,
};

/** The decision after any error: pending, so that a technician decides (invariant 5). */
export const failSafe = (error?: unknown, costliest: Costly | null = null): Decision =>
  error instanceof EffortExceeded
    ? { ...UNDECIDED, held: 'effort_exceeded', costliest }
    : { ...UNDECIDED, held: 'evaluator_error' };

/** Audit details: the matching policies in audit mode, and why a grant was withheld. */
export const auditDetailsOf = ({
  held,
  costliest,
  audited,
  auditedOmitted,
}: Decision): Readonly<Record<string, unknown>> => ({
  ...(held && { held }),
  ...(costliest && { costliest }),
  ...(audited.length > 0 && { auditedPolicies: audited }),
  ...(auditedOmitted > 0 && { auditedPoliciesOmitted: auditedOmitted }),
});
