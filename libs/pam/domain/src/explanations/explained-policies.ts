import { meetsPolicy } from '../chain/by-policy.ts';
import type { Seen } from '../chain/seen.ts';
import type { CompiledPolicy } from '../rules/software-policy.ts';
import type { ExplainedPolicy } from './explanation.ts';

const MOST = 50;

const weightOf = ({ covers, matched, decided }: ExplainedPolicy): number =>
  decided ? 3 : matched ? 2 : covers ? 1 : 0;

/** The policies in the order of evaluation; of too many, those that say most. @throws EffortExceeded */
export function explainedPolicies(
  policies: readonly CompiledPolicy[],
  seen: Seen,
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
  const kept = new Set([...all].sort((one, other) => weightOf(other) - weightOf(one)).slice(0, MOST));
  return all.filter((policy) => kept.has(policy));
}
