import { EDITOR_DAYS, type RuleEditor } from '@gatehouse/pam-domain';

/** An editor of a rule or policy, as the rulebook is loaded. */
export interface EditorRow extends Omit<RuleEditor, 'editedAt'> {
  readonly partId: string;
  /** As PostgreSQL writes it in JSON. */
  readonly editedAt: string | null;
}

/** SQL condition: the state of a part began so lately that its editor counts. */
export const isLateEdit = (part: string): string =>
  `${part}.edited_by IS NOT NULL AND ${part}.valid_from > now() - interval '${EDITOR_DAYS} days'`;

const authorOf = (part: string): string =>
  `SELECT ${part}.created_by AS user_id, true AS is_author, NULL::timestamptz AS edited_at
    WHERE ${part}.created_by IS NOT NULL`;
const lateEditorsOf = (kind: string, id: string): string =>
  `SELECT b.user_id, false, e.valid_from FROM rulebook_parts e, unnest(e.also_by || e.edited_by) AS b (user_id)
    WHERE e.kind = '${kind}' AND e.id = ${id} AND ${isLateEdit('e')}`;

/**
 * SQL for the editors of the enabled rules and policies of the organisation `v` and its partner: the authors of these
 * and of their signer groups, and the users who changed them, or whose replays and rules others
 * applied and copied, within 30 days.
 */
export const EDITORS = `
  (SELECT coalesce(json_agg(json_build_object('partId', w.part_id, 'userId', w.user_id, 'name', coalesce(t.name, ''),
    'email', t.email, 'isAuthor', w.is_author, 'editedAt', w.edited_at)), '[]')
     FROM (SELECT part_id, user_id, bool_or(is_author) AS is_author, max(edited_at) AS edited_at FROM (
             SELECT r.id AS part_id, x.* FROM pam_rules r LEFT JOIN signer_groups g ON g.id = r.match_signer_group_id
               CROSS JOIN LATERAL (
               ${authorOf('r')} UNION ALL ${lateEditorsOf('rule', 'r.id')} UNION ALL ${authorOf('g')}
                 UNION ALL ${lateEditorsOf('signer_group', 'g.id')}) x
              WHERE (r.org_id = v.org_id OR (r.org_id IS NULL AND r.partner_id = v.partner_id)) AND r.enabled
             UNION ALL
             SELECT p.id, x.* FROM software_policies p CROSS
               JOIN LATERAL (${authorOf('p')} UNION ALL ${lateEditorsOf('software_policy', 'p.id')}) x
              WHERE p.partner_id = v.partner_id AND (p.org_id = v.org_id OR p.org_id IS NULL) AND p.enabled) AS every
           GROUP BY part_id, user_id) w
     LEFT JOIN technician_ref t ON t.user_id = w.user_id)`;

/** The editors of each rule and policy. */
export function editorsOf(rows: readonly EditorRow[]): ReadonlyMap<string, readonly RuleEditor[]> {
  const editors = new Map<string, RuleEditor[]>();
  for (const { partId, editedAt, ...editor } of rows) {
    const known = editors.get(partId) ?? [];
    editors.set(partId, [...known, { ...editor, editedAt: editedAt === null ? null : new Date(editedAt) }]);
  }
  return editors;
}
