import type { Observation } from '../matching/observation.ts';
import { countsAsEditor, type RuleEditor } from '../rules/precautions.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import type { Decision } from './decision.ts';

/** Who must not vote on a pending request, by the policy at the time of the request. */
export interface Barred {
  /** The editors of the rule or policy that matched; null where editors may vote, and where nothing matched. */
  readonly editors: readonly string[] | null;
  readonly aiRequester: boolean;
}

type Matched = Pick<Decision, 'rule' | 'policy'>;

/** The editors of the rule or policy that matched; null when separation is off or nothing matched. */
export function editorsOf(
  { rule, policy }: Matched,
  { approvalPolicy, editors }: Pick<Rulebook, 'approvalPolicy' | 'editors'>,
  at: Date,
): readonly RuleEditor[] | null {
  const matched = rule ?? policy;
  if (!approvalPolicy.separation.ruleEditors || matched === null) return null;
  return (editors.get(matched.id) ?? []).filter((editor) => countsAsEditor(editor, at));
}

/** Part of step 5: fixed with the demand, so that softening the policy helps no pending request. */
export const barredFrom = (matched: Matched, { flowType, at }: Observation, rulebook: Rulebook): Barred => ({
  editors: editorsOf(matched, rulebook, at)?.map(({ userId }) => userId) ?? null,
  aiRequester: flowType === 'ai_tool_action' && rulebook.approvalPolicy.separation.aiRequester,
});
