import { CRITERION_FIELDS, type DefaultVerdict } from '@gatehouse/contracts-pam';
import { type Reader, toSnake, type Tx } from '@gatehouse/database';
import {
  type ApprovalPolicy,
  type Freeze,
  type JustificationPolicy,
  NO_FORMER,
  NO_JUSTIFICATION,
  NO_PRECAUTIONS,
  ONE_APPROVAL,
  type PartnerRule,
  type Rule,
  type RulebookSource,
  type SoftwarePolicy,
} from '@gatehouse/pam-domain';
import { JUSTIFICATION } from '../justification/justification-sql.repository.ts';
import {
  type EditorRow,
  EDITORS,
  editorsOf,
  type FormerRows,
  formerStates,
  formerStatesOf,
  instantOf,
} from './editors-sql.repository.ts';
import { holdPartner, RULEBOOK_LOCK_OF } from './rulebook-versions.repository.ts';
import { RULEBOOK_PARTS } from './rulebook-memory.repository.ts';

/** SQL condition: organisations may leave this rule of the partner; one that comes after their own they always may. */
export const MAY_BE_LEFT = (rule: string): string => `(${rule}.precedence = 'after' OR ${rule}.opt_out = 'allowed')`;

export interface OrgOfPartner {
  readonly orgId: string;
  readonly partnerId: string;
}

type Stored<T> = Omit<T, 'expiresAt'> & { readonly expiresAt: string | null };

interface Row {
  readonly version: number;
  readonly defaultVerdict: DefaultVerdict;
  readonly defaultApprovalMinutes: number;
  readonly rules: Stored<Rule>[];
  readonly partnerRules: (Stored<PartnerRule> & { readonly optedOut: boolean })[];
  readonly groups: { id: string; signers: string[] }[];
  readonly policies: SoftwarePolicy[];
  readonly freezes: Stored<Freeze>[];
  /** Null without an approval policy. */
  readonly approvalPolicy: ApprovalPolicy | null;
  /** Null without a justification policy. */
  readonly justification: JustificationPolicy | null;
  readonly editors: readonly EditorRow[];
  /** Null where editors are not kept apart. */
  readonly former: FormerRows<Stored<Rule>> | null;
}

// Waits for a change of the whole partner before it reads the clock, so that the change is part of the first version.
const BEGIN_VERSION = `
  WITH begun AS (INSERT INTO rulebook_versions (org_id, partner_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
    RETURNING org_id, partner_id, version)
  INSERT INTO rulebook_instants (org_id, partner_id, version, at) SELECT org_id, partner_id, version, clock_timestamp()
    FROM begun`;
const TAKE_TURN = `SELECT pg_advisory_xact_lock_shared(${RULEBOOK_LOCK_OF('$1')})`;
const VERSION = 'SELECT version FROM rulebook_versions WHERE org_id = $1';
const HOLD_VERSION = 'SELECT version FROM rulebook_versions WHERE org_id = $1 FOR SHARE';

const CRITERIA = Object.values(CRITERION_FIELDS).map((field) => `'${field}', r.${toSnake(field)}`);
const RULE = `
  'id', r.id, 'name', r.name, 'verdict', r.verdict, 'approvalDurationMinutes', r.approval_duration_minutes,
  'siteId', r.site_id, ${CRITERIA.join(', ')}, 'matchNegate', r.match_negate,
  'timeWindow', r.time_window, 'mode', r.mode, 'expiresAt', r.expires_at`;
const policyOf = (
  row: string,
): string => `'id', ${row}.id, 'name', ${row}.name, 'mode', ${row}.mode, 'rules', ${row}.rules,
  'target', json_build_object('level', ${row}.target_level, 'id', ${row}.target_id)`;
const approvalsOf = (row: string): string => `json_build_object('levels', ${row}.levels, 'default',
  json_build_object('approvals', ${row}.default_approvals, 'pendingMinutes', ${row}.default_pending_minutes),
  'separation', json_build_object('ruleEditors', ${row}.rule_editors, 'aiRequester', ${row}.ai_requester))`;
/** Whether the organisation `v` has left the partner's rule `r`, which must still let it. */
const HAS_LEFT = `${MAY_BE_LEFT('r')} AND EXISTS (SELECT FROM pam_rule_opt_outs l WHERE l.rule_id = r.id
  AND l.org_id = v.org_id)`;

// One statement, so that the version and the rules come from one snapshot.
const LOAD = `
  SELECT v.version,
         coalesce(c.default_unmatched_verdict, 'require_approval') AS default_verdict,
         coalesce(c.default_approval_minutes, 15) AS default_approval_minutes,
         coalesce((SELECT json_agg(json_build_object(${RULE}) ORDER BY r.priority, r.created_at, r.id)
           FROM pam_rules r WHERE r.org_id = v.org_id AND r.enabled), '[]') AS rules,
         coalesce((SELECT json_agg(json_build_object(${RULE}, 'precedence', r.precedence, 'optedOut', ${HAS_LEFT})
             ORDER BY r.priority, r.created_at, r.id)
           FROM pam_rules r WHERE r.org_id IS NULL AND r.partner_id = v.partner_id AND r.enabled), '[]')
           AS partner_rules,
         coalesce((SELECT json_agg(json_build_object('id', g.id, 'signers', g.signers)) FROM signer_groups g
           WHERE g.org_id = v.org_id OR (g.org_id IS NULL AND g.partner_id = v.partner_id)), '[]') AS groups,
           coalesce((SELECT json_agg(json_build_object(${policyOf('p')})
             ORDER BY p.priority, p.created_at, p.id)
           FROM software_policies p WHERE p.partner_id = v.partner_id AND (p.org_id = v.org_id OR p.org_id IS NULL)
             AND p.enabled), '[]') AS policies,
             coalesce((SELECT json_agg(json_build_object('id', f.id, 'level', f.level, 'targetId', CASE f.level
             WHEN 'organization' THEN f.org_id ELSE f.target_id END, 'mode', f.mode, 'expiresAt', f.expires_at)
             ORDER BY f.id)
           FROM pam_freezes f WHERE f.partner_id = v.partner_id AND (f.org_id = v.org_id OR f.org_id IS NULL)
             AND f.ended_at IS NULL), '[]') AS freezes,
         CASE WHEN a.org_id IS NOT NULL THEN ${approvalsOf('a')} END AS approval_policy,
         ${JUSTIFICATION} AS justification,
         CASE WHEN a.rule_editors THEN ${EDITORS} ELSE '[]' END AS editors,
         CASE WHEN a.rule_editors THEN ${formerStates({ rule: RULE, policy: policyOf('r'), approvals: approvalsOf('r') })}
           END AS former
    FROM rulebook_versions v LEFT JOIN pam_config c ON c.org_id = v.org_id LEFT
      JOIN pam_approval_policies a ON a.org_id = v.org_id
    LEFT JOIN pam_justification_policies j ON j.org_id = v.org_id
   WHERE v.org_id = $1`;

const asOf = ([kind, { table }]: [string, { readonly table: string }]): string => `
  ${table} AS (
    SELECT r.* FROM rulebook_parts p JOIN rulebook_versions v ON v.at < p.valid_to CROSS
      JOIN LATERAL jsonb_populate_record(NULL::${table}, p.value) r
     WHERE p.kind = '${kind}')`;

/**
 * The same statement over the states of a former version, each under the name of its table, as of the instant at which
 * the version began.
 */
const LOAD_FORMER = `
  WITH rulebook_versions AS (
    SELECT org_id, partner_id, version, at FROM rulebook_instants WHERE org_id = $1 AND version = $2
  ), rulebook_parts AS (
    SELECT p.* FROM rulebook_parts p JOIN rulebook_versions v ON p.valid_from <= v.at
      AND (p.org_id = v.org_id OR (p.org_id IS NULL AND p.partner_id = v.partner_id))
  ), ${Object.entries(RULEBOOK_PARTS).map(asOf).join(',')}
  ${LOAD.replaceAll('now()', 'v.at')}`;

const dated = <T extends { readonly expiresAt: string | null }>({ expiresAt, ...rest }: T) => ({
  ...rest,
  expiresAt: instantOf(expiresAt),
});

/** The partner's rules by what becomes of them in the organisation. */
function placed(rows: Row['partnerRules']): Pick<RulebookSource, 'floor' | 'partnerRules' | 'optedOut'> {
  const rulesOf = (belongs: (row: Row['partnerRules'][number]) => boolean): PartnerRule[] =>
    rows.filter(belongs).map(({ optedOut: _, ...rule }) => dated(rule));
  return {
    floor: rulesOf(({ precedence, optedOut }) => precedence === 'before' && !optedOut),
    partnerRules: rulesOf(({ precedence, optedOut }) => precedence === 'after' && !optedOut),
    optedOut: rulesOf(({ optedOut }) => optedOut),
  };
}

const sourceOf = (
  orgId: string,
  { groups, rules, partnerRules, approvalPolicy, justification, editors, former, freezes, ...rest }: Row,
): RulebookSource => ({
  ...NO_PRECAUTIONS,
  ...rest,
  ...placed(partnerRules),
  approvalPolicy: approvalPolicy ?? ONE_APPROVAL,
  justification: justification ?? NO_JUSTIFICATION,
  editors: editorsOf(editors),
  former: former ? formerStatesOf(former, dated) : NO_FORMER,
  orgId,
  rules: rules.map(dated),
  freezes: freezes.map(dated),
  signerGroups: new Map(groups.map(({ id, signers }) => [id, signers])),
});

/** Loads an organisation's rulebook with its version in one round trip. */
export class RulebookRepository {
  /** Null when the organisation has no version yet; {@link begin} inserts the first one. */
  async load(reader: Reader, orgId: string): Promise<RulebookSource | null> {
    const row = await reader.one<Row>(LOAD, [orgId]);
    return row && sourceOf(orgId, row);
  }

  /** Loads the rulebook as it was under a version; null when that is not remembered. */
  async loadFormer(reader: Reader, orgId: string, version: number): Promise<RulebookSource | null> {
    const row = await reader.one<Row>(LOAD_FORMER, [orgId, version]);
    return row && sourceOf(orgId, row);
  }

  /** Null when the organisation has no version yet. */
  async version(reader: Reader, orgId: string): Promise<number | null> {
    return (await reader.one<{ version: number }>(VERSION, [orgId]))?.version ?? null;
  }

  /**
   * Inserts the first version of an organisation whose rules were never changed, so that reports have a version to
   * assert.
   */
  async begin(tx: Tx, { orgId, partnerId }: OrgOfPartner): Promise<void> {
    await holdPartner(tx, partnerId);
    await tx.query(BEGIN_VERSION, [orgId, partnerId]);
  }

  /**
   * Locks the rulebook against changes until the transaction ends, queueing behind changes that already wait.
   * @returns its version, which is inserted if there was none
   */
  async hold(tx: Tx, org: OrgOfPartner): Promise<number> {
    await this.begin(tx, org);
    await tx.query(TAKE_TURN, [org.orgId]);
    const held = await tx.one<{ version: number }>(HOLD_VERSION, [org.orgId]);
    if (!held) throw new Error(`organisation ${org.orgId} has no rulebook version`);
    return held.version;
  }
}
