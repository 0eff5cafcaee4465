import { EffortExceeded, type Effort } from '../matching/effort.ts';
import type { Rule } from '../rules/rule.ts';
import type { ShadowRules } from '../rules/rulebook.ts';
import { matchingRules, ofRule } from './by-rule.ts';
import type { Decision, ShadowHit, ShadowPass } from './decision.ts';
import { type DecisionContext, MatchContext } from './seen.ts';
import { settled } from './settle.ts';

const NO_HITS: ShadowPass = { hits: [], failed: null };

/** The position of the live rule that chose, which hides the shadow rules behind it. */
const decidingPosition = ({ rule }: Decision, { positions }: ShadowRules): number =>
  (rule && positions.get(rule.id)) ?? Infinity;

function hitOf(rule: Rule, judged: DecisionContext): ShadowHit {
  const { outcome, held } = settled(ofRule(rule), judged);
  return { ruleId: rule.id, outcome, held };
}

function collect(hits: ShadowHit[], horizon: number, shadow: ShadowRules, judged: DecisionContext): void {
  for (const rule of matchingRules(shadow.rules, judged.seen)) {
    if (shadow.positions.get(rule.id)! > horizon) return;
    hits.push(hitOf(rule, judged));
  }
}

/**
 * Step 6: what each shadow rule would have made of the request if it had been live. It changes no decision: it has an
 * effort of its own, and an error only ends it.
 * @param choice what policies, rules and default chose
 */
export function shadowPass(choice: Decision, judged: DecisionContext, effort: Effort): ShadowPass | null {
  const { shadow } = judged.rulebook;
  if (shadow === null) return null;
  if (choice.policy) return NO_HITS;
  const hits: ShadowHit[] = [];
  try {
    const seen = new MatchContext(judged.seen.observation, effort);
    collect(hits, decidingPosition(choice, shadow), shadow, { ...judged, seen });
    return { hits, failed: null };
  } catch (error) {
    return { hits, failed: error instanceof EffortExceeded ? 'effort_exceeded' : 'evaluator_error' };
  }
}
