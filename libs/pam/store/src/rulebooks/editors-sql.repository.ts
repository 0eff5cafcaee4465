import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import {
  type ApprovalPolicy,
  EDITOR_DAYS,
  type Former,
  type FormerGroup,
  type FormerStates,
  type JustificationPolicy,
  type Rule,
  type RuleEditor,
  type SoftwarePolicy,
} from '@gatehouse/pam-domain';
import { JUSTIFICATION } from '../justification/justification-sql.repository.ts';

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

/** SQL for who brought the organisation `v` back under rules of its partner within 30 days. */
const OPTED_IN = `
  SELECT (e.value->>'rule_id')::uuid, e.ended_by, false, e.valid_to FROM rulebook_parts e
    WHERE e.kind = 'rule_opt_out' AND e.org_id = v.org_id AND e.ended_by IS NOT NULL
      AND e.valid_to > now() - interval '${EDITOR_DAYS} days' AND e.valid_to <= now()
      AND NOT EXISTS (
        SELECT FROM rulebook_parts n WHERE n.kind = e.kind AND n.id = e.id AND n.valid_from = e.valid_to)`;

/**
 * SQL for the editors of the enabled rules and policies of the organisation `v` and its partner: the authors of these
 * and of their signer groups, and the users who changed them, who brought the organisation back under them, or whose
 * replays and rules others applied and copied, within 30 days.
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
             UNION ALL ${OPTED_IN} UNION ALL
             SELECT p.id, x.* FROM software_policies p CROSS
               JOIN LATERAL (${authorOf('p')} UNION ALL ${lateEditorsOf('software_policy', 'p.id')}) x
              WHERE p.partner_id = v.partner_id AND (p.org_id = v.org_id OR p.org_id IS NULL) AND p.enabled) AS every
           GROUP BY part_id, user_id) w
     LEFT JOIN technician_ref t ON t.user_id = w.user_id)`;

/** A person who made one change, as it is loaded. */
export type EditRow = Omit<EditorRow, 'partId'>;

/** SQL for one person `user` who made a change at `at`; technicians are joined as `t`. */
const edit = (user: string, at: string): string => `json_build_object('userId', ${user}, 'name', coalesce(t.name, ''),
  'email', t.email, 'isAuthor', false, 'editedAt', ${at})`;

/** SQL for the people who moved the device `d` or changed its groups within 30 days. */
export const DEVICE_EDITORS = `
  CASE WHEN d.edits = '[]' THEN '[]' ELSE (SELECT coalesce(json_agg(${edit(`e->>'userId'`, `e->>'at'`)}), '[]')
    FROM jsonb_array_elements(d.edits) AS e LEFT JOIN technician_ref t ON t.user_id = (e->>'userId')::uuid) END`;

/** SQL for where the machine of the device `d` was by its name, if that device is not older than 30 days (PAM-372). */
export const FORMER_PLACES = `
  CASE WHEN d.device_id >= uuid_from_instant(now() - interval '${EDITOR_DAYS} days') THEN d.former_places
    ELSE '{}' END`;

/** So many states of a kind, the newest, count: a rulebook must not grow by its changes. */
const MAX_FORMER = 200;
/** Members that decide nothing: a change of them alone ends no state that tightened. */
const IDLE = `ARRAY['name', 'description', 'version', 'updated_at', 'updated_by']`;

/** SQL for former states `p` of the organisation `v` as rows `r` of a table, each with who ended it. */
const former = (kind: string, table: string, { state, where = 'true' }: { state: string; where?: string }): string => `
  (SELECT coalesce(json_agg(json_build_object('state', s.state, 'endedBy', s.ended_by)), '[]') FROM (
    SELECT ${state} AS state, ${edit('b.user_id', 'p.valid_to')} AS ended_by
      FROM rulebook_parts p CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, p.value) r
      CROSS JOIN LATERAL unnest(p.ended_also_by || p.ended_by) AS b (user_id)
      LEFT JOIN technician_ref t ON t.user_id = b.user_id
     WHERE p.kind = '${kind}' AND (p.org_id = v.org_id OR (p.org_id IS NULL AND p.partner_id = v.partner_id))
       AND p.valid_to > now() - interval '${EDITOR_DAYS} days' AND p.valid_to <= now() AND p.ended_by IS NOT NULL
       AND ${where} AND NOT EXISTS (SELECT FROM rulebook_parts n WHERE n.kind = p.kind AND n.id = p.id
         AND n.valid_from <= now() AND n.valid_to > now() AND n.value - ${IDLE} = p.value - ${IDLE})
     ORDER BY p.valid_to DESC LIMIT ${MAX_FORMER}) AS s)`;

/** SQL condition: the rule `r` denies or asks. */
const IS_STRICT = `r.enabled AND r.mode = 'live' AND r.verdict IN ('auto_deny', 'require_approval')`;

const FORMER_SIGNERS = `json_build_object('id', r.id, 'signers', r.signers)`;
const FORMER_JUSTIFICATION = JUSTIFICATION.replaceAll('j.', 'r.');

/** SQL for the rules of the partner that the organisation `v` left within 30 days, each with who left it. */
const leftRules = (rule: string): string => `
  (SELECT coalesce(json_agg(json_build_object('state', json_build_object(${rule}),
      'endedBy', ${edit('l.opted_out_by', 'l.opted_out_at')})), '[]')
     FROM pam_rule_opt_outs l JOIN pam_rules r ON r.id = l.rule_id AND ${IS_STRICT}
     LEFT JOIN technician_ref t ON t.user_id = l.opted_out_by
    WHERE l.org_id = v.org_id AND l.opted_out_at > now() - interval '${EDITOR_DAYS} days')`;

/** SQL for the {@link FormerStates} of the organisation `v`. @param rule, policy, approvals JSON of a row `r` or `a` */
export const formerStates = (json: { rule: string; policy: string; approvals: string }): string => `
  json_build_object(
    'rules', ${former('rule', 'pam_rules', { state: `json_build_object(${json.rule})`, where: IS_STRICT })},
    'left', ${leftRules(json.rule)},
    'policies', ${former('software_policy', 'software_policies', {
      state: `json_build_object(${json.policy})`,
      where: `r.enabled AND r.mode = 'blocklist'`,
    })},
    'approvalPolicies', ${former('approval_policy', 'pam_approval_policies', { state: json.approvals })},
    'justifications', ${former('justification_policy', 'pam_justification_policies', { state: FORMER_JUSTIFICATION })},
    'denials', ${former('config', 'pam_config', {
      state: 'r.default_unmatched_verdict',
      where: `r.default_unmatched_verdict = 'auto_deny' AND NOT EXISTS (SELECT FROM rulebook_parts m
        WHERE m.kind = p.kind AND m.id = p.id AND m.valid_from = p.valid_to
          AND m.value->>'default_unmatched_verdict' = 'auto_deny')`,
    })},
    'groups', ${former('signer_group', 'signer_groups', { state: FORMER_SIGNERS })})`;

interface FormerRow<T> {
  readonly state: T;
  readonly endedBy: EditRow;
}
export interface FormerRows<R> {
  readonly rules: readonly FormerRow<R>[];
  readonly left: readonly FormerRow<R>[];
  readonly policies: readonly FormerRow<SoftwarePolicy>[];
  readonly approvalPolicies: readonly FormerRow<ApprovalPolicy>[];
  readonly justifications: readonly FormerRow<JustificationPolicy>[];
  readonly denials: readonly FormerRow<DefaultVerdict>[];
  readonly groups: readonly FormerRow<FormerGroup>[];
}

export const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const editorOf = (row: EditRow): RuleEditor => ({ ...row, editedAt: instantOf(row.editedAt) });

/** @param ruleOf reads a rule as it is stored */
export function formerStatesOf<R>(
  { rules, left, policies, approvalPolicies, justifications, denials, groups }: FormerRows<R>,
  ruleOf: (row: R) => Rule,
): FormerStates {
  const by = <T>({ state, endedBy }: FormerRow<T>): Former<T> => ({ state, endedBy: editorOf(endedBy) });
  return {
    rules: [...rules, ...left].map(({ state, endedBy }) => by({ state: ruleOf(state), endedBy })),
    policies: policies.map(by),
    approvalPolicies: approvalPolicies.map(by),
    justifications: justifications.map(by),
    denials: denials.map(by),
    groups: groups.map(by),
  };
}

/** The editors of each rule and policy. */
export function editorsOf(rows: readonly EditorRow[]): ReadonlyMap<string, readonly RuleEditor[]> {
  const editors = new Map<string, RuleEditor[]>();
  for (const { partId, ...row } of rows) editors.set(partId, [...(editors.get(partId) ?? []), editorOf(row)]);
  return editors;
}
