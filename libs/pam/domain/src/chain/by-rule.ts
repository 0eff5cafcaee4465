import type { Verdict } from '@gatehouse/contracts-pam';
import { hasExpired, type Rule } from '../rules/rule.ts';
import type { CompiledRule, RuleIndex } from '../rules/rule-index.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import { type Decision, named, type Outcome, UNDECIDED } from './decision.ts';
import type { MatchContext } from './seen.ts';

/** Steps charged for calling one rule. */
const TRY_STEPS = 20;

/** Denials compare every form; all else compares only the observation as reported. */
const meetsRule = ({ matches, denies }: CompiledRule, seen: MatchContext): boolean =>
  denies ? denies(seen.forms) : matches(seen.raw);

/** The rules that match, in their order; expired ones do not. @throws EffortExceeded */
export function* matchingRules(rules: RuleIndex, seen: MatchContext): Iterable<Rule> {
  if (rules.size === 0) return;
  const wide = rules.hasDenials ? seen.forms.wide : [];
  for (const candidate of rules.candidates(seen.exact, wide)) {
    seen.begin('pam.rule', candidate.rule);
    seen.raw.effort.spend(TRY_STEPS);
    if (!hasExpired(candidate.rule, seen.observation.at) && meetsRule(candidate, seen)) yield candidate.rule;
  }
}

/** The first rule that matches. @throws EffortExceeded */
function firstMatch(rules: RuleIndex, seen: MatchContext): Rule | null {
  for (const rule of matchingRules(rules, seen)) return rule;
  return null;
}

const OUTCOME_OF: Readonly<Record<Verdict, Outcome>> = {
  auto_approve: 'auto_approved',
  auto_deny: 'denied',
  require_approval: 'pending',
  ignore: 'ignored',
};

/** What a rule that matches makes of a request, before floor and holds. */
export function ofRule(rule: Rule): Decision {
  const outcome = OUTCOME_OF[rule.verdict];
  return {
    ...UNDECIDED,
    rule: named(rule),
    approvalMinutes: rule.approvalDurationMinutes,
    outcome,
    source: outcome === 'pending' ? null : 'pam_rule',
  };
}

/** Step 2: the first rule of the organisation that matches decides, then the first of its partner. */
export function byRule({ rules, partnerRules }: Rulebook, seen: MatchContext): Decision | null {
  const rule = firstMatch(rules, seen) ?? firstMatch(partnerRules, seen);
  return rule && ofRule(rule);
}
