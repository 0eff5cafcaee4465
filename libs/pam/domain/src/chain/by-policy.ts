import type { CompiledPolicy } from '../rules/software-policy.ts';
import { type Decision, named, type Named, UNDECIDED } from './decision.ts';
import type { MatchContext } from './seen.ts';

/** Denials compare every form; all else compares only the observation as reported. */
export const meetsPolicy = (policy: CompiledPolicy, seen: MatchContext): boolean =>
  policy.mode === 'blocklist' ? policy.denies(seen.forms) : policy.matches(seen.raw);

const ofPolicy = (policy: CompiledPolicy): Decision => ({
  ...UNDECIDED,
  policy: named(policy),
  outcome: policy.mode === 'blocklist' ? 'denied' : 'auto_approved',
  source: 'software_policy',
});

interface PolicyChoice {
  /** Null when no policy decides. */
  readonly decision: Decision | null;
  /** Policies in audit mode that match before the one that decides. */
  readonly audited: readonly Named[];
}

/** Step 1: the closest policy that matches decides. @throws EffortExceeded */
export function byPolicy(policies: readonly CompiledPolicy[], seen: MatchContext): PolicyChoice {
  const audited: Named[] = [];
  for (const policy of policies) {
    seen.begin('pam.software_policy', policy);
    if (!policy.covers(seen.observation.place) || !meetsPolicy(policy, seen)) continue;
    if (policy.mode === 'audit') audited.push(named(policy));
    else return { decision: ofPolicy(policy), audited };
  }
  return { decision: null, audited };
}
