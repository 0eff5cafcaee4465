import type { RuleEditor, RulebookSource, RuleSetDifference } from '@gatehouse/pam-domain';
import type { RuleValues } from '../rules/rules.repository.ts';

/** The author of a candidate, who would be an editor of the rules that it changes. */
export interface Author {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
}

/** The author of the changes becomes an editor of each rule that they change, so that separation of duties holds. */
export function withEditor(
  source: RulebookSource,
  { added, updated }: RuleSetDifference<RuleValues>,
  author: Author | null,
): RulebookSource {
  if (!author || !source.approvalPolicy.separation.ruleEditors) return source;
  const { userId, name, email } = author;
  const editors = new Map(source.editors);
  const note = (ruleId: string, isAuthor: boolean): unknown => {
    const editor: RuleEditor = { userId, name, email, isAuthor, editedAt: new Date() };
    return editors.set(ruleId, [...(editors.get(ruleId) ?? []), editor]);
  };
  for (const { id } of added) note(id, true);
  for (const { rule } of updated) note(rule.id, false);
  return { ...source, editors };
}
