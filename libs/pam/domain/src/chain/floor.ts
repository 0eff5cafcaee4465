import type { RuleIndex } from '../rules/rule-index.ts';
import { firstMatch, ofRule } from './by-rule.ts';
import type { Decision } from './decision.ts';
import type { Seen } from './seen.ts';

/**
 * Step 3a: the first rule of the floor that matches tightens the decision. It denies what was not denied, and asks for
 * approval of what was granted or ignored. A denial needs no floor, so an error here cannot undo it.
 * @throws EffortExceeded
 */
export function underFloor(decision: Decision, floor: RuleIndex, seen: Seen): Decision {
  if (floor.size === 0 || decision.outcome === 'denied') return decision;
  const rule = firstMatch(floor, seen);
  if (rule?.verdict === 'auto_deny') return ofRule(rule);
  return rule?.verdict === 'require_approval' && decision.outcome !== 'pending' ? ofRule(rule) : decision;
}
