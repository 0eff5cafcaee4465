import type { RuleEditor } from '../matching/accounts.ts';
import type { Observation } from '../matching/observation.ts';
import { isJustified, type JustificationPolicy, justificationGap, lacksTicket } from '../rules/justification.ts';
import { type ApprovalPolicy, countsAsEditor } from '../rules/precautions.ts';
import type { Rule } from '../rules/rule.ts';
import { bindsGrants, demandOf } from './approval-demand.ts';
import { meetsPolicy } from './by-policy.ts';
import { matchingRules } from './by-rule.ts';
import type { Barred, Decision } from './decision.ts';
import type { DecisionContext } from './seen.ts';

type Matched = Pick<Decision, 'rule' | 'policy' | 'outcome' | 'held'>;

/** Whether rule or policy grant or ignore the request, also when that is held. */
const isLenient = ({ outcome, held }: Matched): boolean => outcome !== 'pending' || held !== null;

/** A pending request was only kept from a denial; a grant also from a question. */
const isStricter = ({ verdict }: Rule, decision: Matched): boolean =>
  verdict === 'auto_deny' || (verdict === 'require_approval' && isLenient(decision));

/** Whether a former policy demanded more approvals, or kept rules and policies from granting. */
function demandedMore(former: ApprovalPolicy, decision: Matched, { seen, rulebook }: DecisionContext): boolean {
  const { observation } = seen;
  const [before, now] = [former, rulebook.approvalPolicy];
  if (demandOf(before, observation).approvals > demandOf(now, observation).approvals) return true;
  return isLenient(decision) && bindsGrants(before, observation) && !bindsGrants(now, observation);
}

/** Who ended what would have decided the request more strictly: deleted, disabled or reordered, or made it narrower. */
function* formerEditors(decision: Matched, judged: DecisionContext): Iterable<RuleEditor> {
  const { seen, rulebook } = judged;
  const { former, formerRules } = rulebook;
  for (const rule of matchingRules(formerRules.index, seen))
    if (isStricter(rule, decision)) yield formerRules.endedBy.get(rule)!;
  for (const { policy, endedBy } of rulebook.formerPolicies)
    if (policy.covers(seen.observation.place) && meetsPolicy(policy, seen)) yield endedBy;
  for (const { state, endedBy } of former.approvalPolicies) if (demandedMore(state, decision, judged)) yield endedBy;
  yield* softeners(decision, judged);
}

/** Whether the policy keeps the request from what became of it until it is justified. */
function withholds(policy: JustificationPolicy, decision: Matched, observation: Observation): boolean {
  if (observation.flowType !== 'uac_intercept') return justificationGap(policy, observation) !== null;
  if (isLenient(decision) && policy.prompts.hold && !isJustified(policy, observation)) return true;
  return decision.outcome === 'pending' && lacksTicket(policy, observation);
}

/** Who ended settings that would have denied what no rule matched, or asked for a justification that is not given. */
function* softeners(decision: Matched, { seen: { observation }, rulebook }: DecisionContext): Iterable<RuleEditor> {
  const { former, justification } = rulebook;
  if (decision.rule === null && decision.policy === null) for (const { endedBy } of former.denials) yield endedBy;
  if (withholds(justification, decision, observation)) return;
  for (const { state, endedBy } of former.justifications) if (withholds(state, decision, observation)) yield endedBy;
}

/**
 * The people who made or changed what the verdict depends on within the memory of the rulebook: the rule or policy that
 * matched, stricter ones that are no more, the demand of a level, the place and the groups of the device (PAM-304).
 * Null when editors are not kept apart.
 * @throws EffortExceeded
 */
export function editorsOf(decision: Matched, judged: DecisionContext): readonly RuleEditor[] | null {
  const { rulebook } = judged;
  const { place, at } = judged.seen.observation;
  if (!rulebook.approvalPolicy.separation.ruleEditors) return null;
  const matched = decision.rule ?? decision.policy;
  const own = matched ? (rulebook.editors.get(matched.id) ?? []) : [];
  return [...own, ...formerEditors(decision, judged), ...(place.editors ?? [])].filter((editor) =>
    countsAsEditor(editor, at),
  );
}

/** Part of step 5: fixed with the demand, so softening the policy helps no pending request. @throws EffortExceeded */
export function barredFrom(decision: Matched, judged: DecisionContext): Barred {
  const { seen, rulebook } = judged;
  const editors = [...new Set(editorsOf(decision, judged)?.map(({ userId }) => userId))];
  const isSeparated = rulebook.approvalPolicy.separation.ruleEditors && (decision.rule ?? decision.policy) !== null;
  return {
    editors: isSeparated || editors.length > 0 ? editors : null,
    aiRequester: seen.observation.flowType === 'ai_tool_action' && rulebook.approvalPolicy.separation.aiRequester,
  };
}
