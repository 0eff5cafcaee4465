import type { RuleEditor, RulebookSource, RuleSetDifference } from '@gatehouse/pam-domain';
import type { RuleValues } from '../rules/rules.repository.ts';

/** The author of a candidate, who would be an editor of the rules that it changes. */
export interface Author {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
}

/** The authors of the changes become editors of each rule that they change, so that separation of duties holds. */
export function withEditors(
  source: RulebookSource,
  { added, updated }: RuleSetDifference<RuleValues>,
  authors: readonly Author[],
): RulebookSource {
  if (!source.approvalPolicy.separation.ruleEditors) return source;
  const editors = new Map(source.editors);
  const note = (ruleId: string, isAuthor: boolean): unknown => {
    const editedAt = new Date();
    const own: RuleEditor[] = authors.map(({ userId, name, email }) => ({ userId, name, email, isAuthor, editedAt }));
    return editors.set(ruleId, [...(editors.get(ruleId) ?? []), ...own]);
  };
  for (const { id } of added) note(id, true);
  for (const { rule } of updated) note(rule.id, false);
  return { ...source, editors };
}
