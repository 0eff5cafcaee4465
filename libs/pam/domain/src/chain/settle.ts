import type { RuleIndex } from '../rules/rule-index.ts';
import type { Rule } from '../rules/rule.ts';
import { matchingRules, ofRule } from './by-rule.ts';
import type { Decision } from './decision.ts';
import { withHold } from './holds.ts';
import type { DecisionContext, MatchContext } from './seen.ts';

/** The first rule that matches and denies; without one the first that matches. @throws EffortExceeded */
function strictestMatch(floor: RuleIndex, seen: MatchContext): Rule | null {
  let first: Rule | null = null;
  for (const rule of matchingRules(floor, seen)) {
    if (rule.verdict === 'auto_deny') return rule;
    first ??= rule;
  }
  return first;
}

/**
 * Step 3a: the floor tightens the decision. It denies what was not denied, and asks for approval of what was granted or
 * ignored. A question of the floor never stands in front of a denial of it, whatever their order, so that no further
 * rule makes an outcome more lenient. A denial needs no floor, so an error here cannot undo it.
 * @throws EffortExceeded
 */
function underFloor(decision: Decision, floor: RuleIndex, seen: MatchContext): Decision {
  if (floor.size === 0 || decision.outcome === 'denied') return decision;
  const rule = strictestMatch(floor, seen);
  if (rule?.verdict === 'auto_deny') return ofRule(rule);
  return rule?.verdict === 'require_approval' && decision.outcome !== 'pending' ? ofRule(rule) : decision;
}

/** Steps 3a and 4: what floor and holds make of a choice. They tighten it or leave it. @throws EffortExceeded */
export const settled = (choice: Decision, judged: DecisionContext): Decision =>
  withHold(underFloor(choice, judged.rulebook.floor, judged.seen), judged);
