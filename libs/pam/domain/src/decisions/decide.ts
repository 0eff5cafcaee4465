import type { DecisionSource, Verdict } from '@gatehouse/contracts-pam';
import { Effort, EffortExceeded } from '../matching/effort.ts';
import type { Observation } from '../matching/observation.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import type { CompiledRule } from '../rules/rule-index.ts';
import type { CompiledPolicy } from '../rules/software-policy.ts';
import { type Forms, formsOf, type Subject, subjectOf } from '../matching/subject.ts';
import { isSuspicious, normalised } from '../matching/suspicion.ts';

export type Outcome = 'pending' | 'auto_approved' | 'denied' | 'ignored';

/** A reason for which a grant or an ignore became pending. */
export type Hold =
  'evaluator_error' | 'effort_exceeded' | 'suspicious_observation' | 'not_ignorable' | 'organization_suspended';

interface Named {
  readonly id: string;
  readonly name: string;
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
  /** Matching policies in audit mode, the first {@link MAX_AUDITED} of them. They are recorded and have no effect. */
  readonly audited: readonly Named[];
  /** The number of further matches. */
  readonly auditedOmitted: number;
  /** Why a grant or an ignore was withheld. */
  readonly held: Hold | null;
  /** If the effort limit was exceeded, the rule or policy that took the most steps. */
  readonly costliest: Costly | null;
}

/** A rule or policy and the number of steps that matching it took. */
export interface Costly extends Named {
  readonly type: 'pam.rule' | 'pam.software_policy';
  readonly steps: number;
}

/** Inputs of a decision besides the observation and the rulebook. */
export interface Circumstances {
  readonly effort?: Effort;
  /** True for a suspended organisation: automatic grants become pending. */
  readonly holdsGrants?: boolean;
}

/** Steps charged for calling one rule. */
const TRY_STEPS = 20;

/** Limits the size of an audit entry, so that the broker accepts its message. */
const MAX_AUDITED = 20;

const named = ({ id, name }: Named): Named => ({ id, name });

/** The observation in the forms that are compared, and the effort spent on comparing them. */
class Seen {
  readonly raw: Subject;
  /** The normalised form, if the observation is suspicious. */
  readonly real: Subject | null;
  private readonly effort: Effort;
  private known: Forms | null = null;
  private type: Costly['type'] = 'pam.rule';
  private trying: Named | null = null;
  private from = 0;
  private most: Costly | null = null;

  constructor(
    readonly observation: Observation,
    effort: Effort,
  ) {
    this.effort = effort;
    this.raw = subjectOf(observation, effort);
    this.real = isSuspicious(observation) ? subjectOf(normalised(observation), effort) : null;
  }

  get exact(): readonly Subject[] {
    return this.real ? [this.raw, this.real] : [this.raw];
  }

  /** Computed when a denial first needs it. */
  get forms(): Forms {
    return (this.known ??= formsOf(this.exact));
  }

  /** Attributes the steps that follow to this rule or policy. */
  begin(type: Costly['type'], thing: Named): void {
    this.note();
    this.type = type;
    this.trying = thing;
    this.from = this.effort.spent;
  }

  /** The rule or policy with the most steps so far. */
  costliest(): Costly | null {
    this.note();
    return this.most;
  }

  private note(): void {
    const steps = this.effort.spent - this.from;
    if (this.trying && steps > (this.most?.steps ?? 0)) this.most = { type: this.type, ...named(this.trying), steps };
  }
}

const NOTHING: Decision = {
  outcome: 'pending',
  source: null,
  policy: null,
  rule: null,
  approvalMinutes: null,
  audited: [],
  auditedOmitted: 0,
  held: null,
  costliest: null,
};

/** The decision after any error: pending, so that a technician decides (invariant 5). */
export const failSafe = (error?: unknown, costliest: Costly | null = null): Decision =>
  error instanceof EffortExceeded
    ? { ...NOTHING, held: 'effort_exceeded', costliest }
    : { ...NOTHING, held: 'evaluator_error' };

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

/** Denials compare every form; all else compares only the observation as reported. */
const meetsPolicy = (policy: CompiledPolicy, seen: Seen): boolean =>
  policy.mode === 'blocklist' ? policy.denies(seen.forms) : policy.matches(seen.raw);
const meetsRule = ({ matches, denies }: CompiledRule, seen: Seen): boolean =>
  denies ? denies(seen.forms) : matches(seen.raw);

function byPolicy(policies: readonly CompiledPolicy[], seen: Seen): { decision: Decision | null; audited: Named[] } {
  const audited: Named[] = [];
  for (const policy of policies) {
    seen.begin('pam.software_policy', policy);
    if (!policy.covers(seen.observation.place) || !meetsPolicy(policy, seen)) continue;
    if (policy.mode === 'audit') audited.push(named(policy));
    else return { decision: ofPolicy(policy, seen), audited };
  }
  return { decision: null, audited };
}

function ofPolicy(policy: CompiledPolicy, { real }: Seen): Decision {
  const base = { ...NOTHING, policy: named(policy) };
  if (policy.mode === 'blocklist') return { ...base, outcome: 'denied', source: 'software_policy' };
  return real
    ? { ...base, held: 'suspicious_observation' }
    : { ...base, outcome: 'auto_approved', source: 'software_policy' };
}

function byRule({ rules }: Rulebook, seen: Seen): Decision | null {
  const wide = rules.hasDenials ? seen.forms.wide : [];
  for (const candidate of rules.candidates(seen.exact, wide)) {
    seen.begin('pam.rule', candidate.rule);
    seen.raw.effort.spend(TRY_STEPS);
    if (meetsRule(candidate, seen)) return ofRule(candidate, seen);
  }
  return null;
}

const OUTCOME_OF: Readonly<Record<Verdict, Outcome>> = {
  auto_approve: 'auto_approved',
  auto_deny: 'denied',
  require_approval: 'pending',
  ignore: 'ignored',
};

function ofRule({ rule }: CompiledRule, { real, observation }: Seen): Decision {
  const base = { ...NOTHING, rule: named(rule), approvalMinutes: rule.approvalDurationMinutes };
  const lenient = rule.verdict === 'auto_approve' || rule.verdict === 'ignore';
  if (lenient && real) return { ...base, held: 'suspicious_observation' };
  // Only agent reports can be ignored: in the other flows a requester waits for the answer.
  if (rule.verdict === 'ignore' && observation.flowType !== 'uac_intercept') return { ...base, held: 'not_ignorable' };
  const outcome = OUTCOME_OF[rule.verdict];
  return { ...base, outcome, source: outcome === 'pending' ? null : 'pam_rule' };
}

const byDefault = ({ defaultVerdict }: Rulebook): Decision =>
  defaultVerdict === 'auto_deny' ? { ...NOTHING, outcome: 'denied', source: 'org_default' } : NOTHING;

const ofSuspended = (decision: Decision): Decision =>
  decision.outcome === 'auto_approved'
    ? { ...decision, outcome: 'pending', source: null, held: 'organization_suspended' }
    : decision;

function chosenFor(seen: Seen, rulebook: Rulebook, holdsGrants: boolean): Decision {
  const { decision, audited } = byPolicy(rulebook.policies, seen);
  const free = decision ?? byRule(rulebook, seen) ?? byDefault(rulebook);
  const chosen = holdsGrants ? ofSuspended(free) : free;
  const approvalMinutes =
    chosen.outcome === 'auto_approved' ? (chosen.approvalMinutes ?? rulebook.defaultApprovalMinutes) : null;
  return {
    ...chosen,
    approvalMinutes,
    audited: audited.slice(0, MAX_AUDITED),
    auditedOmitted: Math.max(0, audited.length - MAX_AUDITED),
  };
}

/**
 * The decision chain: software policies, rules in their order, the organisation's default (PAM-60). A pure function
 * that never throws: an error, or exceeding the effort limit, gives `pending`, whatever the default verdict is.
 */
export function decide(
  observation: Observation,
  rulebook: Rulebook,
  { effort = new Effort(), holdsGrants = false }: Circumstances = {},
): Decision {
  let seen: Seen | null = null;
  try {
    seen = new Seen(observation, effort);
    return chosenFor(seen, rulebook, holdsGrants);
  } catch (error) {
    return failSafe(error, seen?.costliest());
  }
}
