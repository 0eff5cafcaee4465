import type { DecisionSource, Verdict } from '@gatehouse/contracts-pam';
import { Effort, EffortExceeded } from './effort.ts';
import type { Observation } from './observation.ts';
import type { Rulebook } from './rulebook.ts';
import type { CompiledRule } from './rule-index.ts';
import type { CompiledPolicy } from './software-policy.ts';
import { type Subject, subjectOf } from './subject.ts';
import { isSuspicious, normalised } from './suspicion.ts';

export type Outcome = 'pending' | 'auto_approved' | 'denied' | 'ignored';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Decision {
  readonly outcome: Outcome;
  /** Who decided; null while a person has to. */
  readonly source: DecisionSource | null;
  readonly policy: Named | null;
  /** The rule that matched; also when it asks for a person. */
  readonly rule: Named | null;
  /** How long an approval lasts; null unless there is one. */
  readonly approvalMinutes: number | null;
  /** Policies in audit mode that matched, the first {@link MAX_AUDITED} of them: recorded, nothing more. */
  readonly audited: readonly Named[];
  /** How many matched besides. */
  readonly auditedOmitted: number;
  /** Why a grant or an ignore did not come about. */
  readonly held: 'evaluator_error' | 'effort_exceeded' | 'suspicious_observation' | 'not_ignorable' | null;
}

/** An audit entry with the names of any number of policies would be too large for the broker to take. */
const MAX_AUDITED = 20;

/** What was seen, and, if that is suspicious, what it really says. */
interface Seen {
  readonly raw: Subject;
  readonly real: Subject | null;
  readonly observation: Observation;
}

const NOTHING: Decision = { outcome: 'pending', source: null, policy: null, rule: null, approvalMinutes: null, audited: [], auditedOmitted: 0, held: null };

const named = ({ id, name }: Named): Named => ({ id, name });

/** Invariant 5: whatever goes wrong while deciding, a person decides. */
export const failSafe = (error?: unknown): Decision => ({ ...NOTHING, held: error instanceof EffortExceeded ? 'effort_exceeded' : 'evaluator_error' });

/** What an audit entry says of the policies in audit mode and of what held a grant back. */
export const auditDetailsOf = ({ held, audited, auditedOmitted }: Decision): Readonly<Record<string, unknown>> => ({
  ...(held && { held }),
  ...(audited.length > 0 && { auditedPolicies: audited }),
  ...(auditedOmitted > 0 && { auditedPoliciesOmitted: auditedOmitted }),
});

function seenIn(observation: Observation): Seen {
  const effort = new Effort();
  return { observation, raw: subjectOf(observation, effort), real: isSuspicious(observation) ? subjectOf(normalised(observation), effort) : null };
}

/** A denial looks at both forms; everything else at what was reported. */
const meets = (thing: { matches(subject: Subject): boolean }, denies: boolean, { raw, real }: Seen): boolean =>
  thing.matches(raw) || (denies && real !== null && thing.matches(real));

function byPolicy(policies: readonly CompiledPolicy[], seen: Seen): { decision: Decision | null; audited: Named[] } {
  const audited: Named[] = [];
  for (const policy of policies) {
    if (!policy.covers(seen.observation.place) || !meets(policy, policy.mode === 'blocklist', seen)) continue;
    if (policy.mode === 'audit') audited.push(named(policy));
    else return { decision: ofPolicy(policy, seen), audited };
  }
  return { decision: null, audited };
}

function ofPolicy(policy: CompiledPolicy, { real }: Seen): Decision {
  const base = { ...NOTHING, policy: named(policy) };
  if (policy.mode === 'blocklist') return { ...base, outcome: 'denied', source: 'software_policy' };
  return real ? { ...base, held: 'suspicious_observation' } : { ...base, outcome: 'auto_approved', source: 'software_policy' };
}

function byRule({ rules }: Rulebook, seen: Seen): Decision | null {
  for (const candidate of rules.candidates(seen.real ? [seen.raw, seen.real] : [seen.raw])) {
    if (meets(candidate, candidate.rule.verdict === 'auto_deny', seen)) return ofRule(candidate, seen);
  }
  return null;
}

const OUTCOME_OF: Readonly<Record<Verdict, Outcome>> = { auto_approve: 'auto_approved', auto_deny: 'denied', require_approval: 'pending', ignore: 'ignored' };

function ofRule({ rule }: CompiledRule, { real, observation }: Seen): Decision {
  const base = { ...NOTHING, rule: named(rule), approvalMinutes: rule.approvalDurationMinutes };
  const lenient = rule.verdict === 'auto_approve' || rule.verdict === 'ignore';
  if (lenient && real) return { ...base, held: 'suspicious_observation' };
  // Only what an agent reports can be passed over: somebody waits for the answer to the other flows.
  if (rule.verdict === 'ignore' && observation.flowType !== 'uac_intercept') return { ...base, held: 'not_ignorable' };
  const outcome = OUTCOME_OF[rule.verdict];
  return { ...base, outcome, source: outcome === 'pending' ? null : 'pam_rule' };
}

const byDefault = ({ defaultVerdict }: Rulebook): Decision =>
  defaultVerdict === 'auto_deny' ? { ...NOTHING, outcome: 'denied', source: 'org_default' } : NOTHING;

/**
 * The decision chain: software policies, rules in their order, the organisation's default (PAM spec, "States and
 * transitions"). A pure function that never throws: an error becomes `pending`, whatever the default says, and so does a
 * question that takes too much work.
 */
export function decide(observation: Observation, rulebook: Rulebook): Decision {
  try {
    const seen = seenIn(observation);
    const { decision, audited } = byPolicy(rulebook.policies, seen);
    const chosen = decision ?? byRule(rulebook, seen) ?? byDefault(rulebook);
    const approvalMinutes = chosen.outcome === 'auto_approved' ? (chosen.approvalMinutes ?? rulebook.defaultApprovalMinutes) : null;
    return { ...chosen, approvalMinutes, audited: audited.slice(0, MAX_AUDITED), auditedOmitted: Math.max(0, audited.length - MAX_AUDITED) };
  } catch (error) {
    return failSafe(error);
  }
}
