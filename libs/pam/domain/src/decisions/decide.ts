import { demandOf } from '../chain/approval-demand.ts';
import { byPolicy } from '../chain/by-policy.ts';
import { byRule } from '../chain/by-rule.ts';
import { type DecideOptions, type Decision, failSafe, type Named, UNDECIDED } from '../chain/decision.ts';
import { type DecisionContext, MatchContext } from '../chain/seen.ts';
import { barredFrom } from '../chain/separation.ts';
import { settled } from '../chain/settle.ts';
import { shadowPass } from '../chain/shadow.ts';
import { Effort } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import { lacksTicket } from '../rules/justification.ts';
import type { Rulebook } from '../rules/rulebook.ts';

/** Limits the size of an audit entry, so that the broker accepts its message. */
const MAX_AUDITED = 20;

/** Step 3. */
const byDefault = ({ defaultVerdict }: Rulebook): Decision =>
  defaultVerdict === 'auto_deny' ? { ...UNDECIDED, outcome: 'denied', source: 'org_default' } : UNDECIDED;

const minutesOf = ({ outcome, approvalMinutes }: Decision, { defaultApprovalMinutes }: Rulebook): number | null =>
  outcome === 'auto_approved' ? (approvalMinutes ?? defaultApprovalMinutes) : null;

const withAudited = (decision: Decision, audited: readonly Named[]): Decision =>
  audited.length === 0
    ? decision
    : {
        ...decision,
        audited: audited.slice(0, MAX_AUDITED),
        auditedOmitted: Math.max(0, audited.length - MAX_AUDITED),
      };

/** Step 5, which also applies to a decision that failed. */
const withDemand = (decision: Decision, judged: DecisionContext): Decision =>
  decision.outcome === 'pending'
    ? {
        ...decision,
        demand: demandOf(judged.rulebook.approvalPolicy, judged.seen.observation),
        barred: barredFrom(decision, judged),
        needsTicket: lacksTicket(judged.rulebook.justification, judged.seen.observation),
      }
    : { ...decision, demand: null, needsTicket: false };

interface Inputs {
  readonly rulebook: Rulebook;
  readonly holdsGrants: boolean;
  readonly effort: Effort;
}

/** A decision that failed has spent its effort; who must not vote about it is looked up with one of its own. */
function failed(decision: Decision, observation: Observation, { rulebook, holdsGrants, effort }: Inputs): Decision {
  try {
    return withDemand(decision, { seen: new MatchContext(observation, effort.quarter()), rulebook, holdsGrants });
  } catch {
    return decision;
  }
}

interface Chosen {
  /** What policies, rules and default chose. */
  readonly choice: Decision;
  /** The choice after floor and holds. */
  readonly decision: Decision;
}

function chosenFor(judged: DecisionContext): Chosen {
  const { seen, rulebook } = judged;
  const { decision: ofPolicy, audited } = byPolicy(rulebook.policies, seen);
  const choice = ofPolicy ?? byRule(rulebook, seen) ?? byDefault(rulebook);
  const decision = settled(choice, judged);
  return { choice, decision: withAudited({ ...decision, approvalMinutes: minutesOf(decision, rulebook) }, audited) };
}

/**
 * The decision chain (PAM-60, PAM-100): software policies, rules in their order, the organisation's default, the floor,
 * holds, the demand for approval, and the shadow pass. A pure function that never throws: an error, or exceeding the
 * effort limit, gives `pending`, whatever the default verdict is.
 */
export function decide(
  observation: Observation,
  rulebook: Rulebook,
  { effort = new Effort(), holdsGrants = false }: DecideOptions = {},
): Decision {
  let seen: MatchContext | null = null;
  try {
    seen = new MatchContext(observation, effort);
    const judged = { seen, rulebook, holdsGrants };
    const { choice, decision } = chosenFor(judged);
    return {
      ...withDemand(decision, judged),
      shadow: shadowPass(choice, judged, effort.quarter()),
    };
  } catch (error) {
    return failed(failSafe(error, seen?.costliest()), observation, { rulebook, holdsGrants, effort });
  }
}
