import {
  type ApprovalLevelDto,
  DEFAULT_APPROVAL_MINUTES,
  type EscalationPolicyRecord,
  type JustificationPolicyRecord,
  type PamConfigRecord,
  type UpdatePamConfigDto,
} from '@gatehouse/contracts-pam';
import type { Reader, SqlParameter, Tx } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION } from '@gatehouse/pam-domain';
import { type ApprovalPolicyEntity, JUSTIFICATION } from '@gatehouse/pam-store';
import type { Organization } from '../tenants/organizations.repository.ts';

/** A table with at most one row for each organisation, which a change replaces under its next version. */
class SettingsTable<R extends object> {
  private readonly findOne: string;
  private readonly saveOne: string;

  /** @param read the columns as they are read from the row `j`, if not as they are written */
  constructor(table: string, columns: readonly string[], read = columns.map((column) => `j.${column}`).join(', ')) {
    const shown = `j.org_id, ${read}, j.version`;
    const values = columns.map((_, at) => `$${at + 3}`).join(', ');
    const replaced = columns.map((column) => `${column} = EXCLUDED.${column}`).join(', ');
    this.findOne = `SELECT ${shown} FROM ${table} j WHERE j.org_id = $1`;
    this.saveOne = `INSERT INTO ${table} AS j (org_id, partner_id, ${columns.join(', ')}) VALUES ($1, $2, ${values})
      ON CONFLICT (org_id) DO UPDATE SET ${replaced}, version = j.version + 1, updated_at = now() RETURNING ${shown}`;
  }

  find(reader: Reader, orgId: string): Promise<R | null> {
    return reader.one<R>(this.findOne, [orgId]);
  }

  async save(tx: Tx, { orgId, partnerId }: Organization, values: readonly SqlParameter[]): Promise<R> {
    const [saved] = await tx.query<R>(this.saveOne, [orgId, partnerId, ...values]);
    return saved!;
  }
}

export type ApprovalPolicyRow = Omit<ApprovalPolicyEntity, 'partnerId' | 'updatedAt'>;
export type ApprovalPolicyValues = Omit<ApprovalPolicyRow, 'orgId' | 'version'>;

const APPROVAL_POLICIES = new SettingsTable<ApprovalPolicyRow>('pam_approval_policies', [
  'levels',
  'default_approvals',
  'default_pending_minutes',
  'rule_editors',
  'ai_requester',
]);
/** What holds without a policy. */
const NO_APPROVAL_POLICY = {
  levels: [],
  defaultApprovals: 1,
  defaultPendingMinutes: null,
  ruleEditors: false,
  aiRequester: false,
  version: 0,
};

const FOREIGN_SITES = `
  SELECT w.id FROM unnest($2::uuid[]) AS w (id) WHERE NOT EXISTS (SELECT FROM site_ref s WHERE s.site_id = w.id
    AND s.org_id = $1 AND NOT s.deleted) LIMIT 1`;
const FOREIGN_GROUPS = `
  SELECT w.id FROM unnest($2::uuid[]) AS w (id) WHERE NOT EXISTS (SELECT FROM group_ref g WHERE g.group_id = w.id
    AND g.org_id = $1 AND NOT g.deleted) LIMIT 1`;

/** Counts people who are confined to sites only at the site that the fewest of them reach. */
const ELIGIBLE = `
  WITH reach AS MATERIALIZED (SELECT user_id, everywhere, site_ids FROM elevation_voters($1, $2)),
       unconfined AS MATERIALIZED (SELECT DISTINCT user_id FROM reach WHERE everywhere),
       confined AS (SELECT DISTINCT s.id AS site_id, r.user_id FROM reach r CROSS
         JOIN LATERAL unnest(r.site_ids) AS s (id)
                     WHERE r.user_id NOT IN (SELECT user_id FROM unconfined)),
       places AS (SELECT s.site_id FROM site_ref s WHERE s.org_id = $2 AND NOT s.deleted
         AND (cardinality($3::uuid[]) = 0 OR s.site_id = ANY ($3::uuid[]))), counted
         AS (SELECT count(c.user_id) AS people FROM places p LEFT JOIN confined c ON c.site_id = p.site_id
         GROUP BY p.site_id)
  SELECT ((SELECT count(*) FROM unconfined) + coalesce((SELECT min(people) FROM counted), 0))::int AS eligible`;

export const approvalPolicies = {
  async find(reader: Reader, orgId: string): Promise<ApprovalPolicyRow> {
    return (await APPROVAL_POLICIES.find(reader, orgId)) ?? { orgId, ...NO_APPROVAL_POLICY };
  },

  save(tx: Tx, organization: Organization, values: ApprovalPolicyValues): Promise<ApprovalPolicyRow> {
    const { levels, defaultApprovals, defaultPendingMinutes, ruleEditors, aiRequester } = values;
    const approvals = [JSON.stringify(levels), defaultApprovals, defaultPendingMinutes];
    return APPROVAL_POLICIES.save(tx, organization, [...approvals, ruleEditors, aiRequester]);
  },

  /** Whether every site that the levels name belongs to the organisation. */
  async hasSites(reader: Reader, { orgId }: Organization, levels: readonly ApprovalLevelDto[]): Promise<boolean> {
    const named = levels.flatMap(({ siteIds }) => siteIds ?? []);
    return named.length === 0 || (await reader.one(FOREIGN_SITES, [orgId, named])) === null;
  },

  /** Whether every device group that the levels name belongs to the organisation. */
  async hasGroups(reader: Reader, { orgId }: Organization, levels: readonly ApprovalLevelDto[]): Promise<boolean> {
    const named = levels.flatMap(({ deviceGroupIds }) => deviceGroupIds ?? []);
    return named.length === 0 || (await reader.one(FOREIGN_GROUPS, [orgId, named])) === null;
  },

  /**
   * How many people could approve at whichever of the sites is worst off, by the read model; without sites, of all.
   */
  async eligible(reader: Reader, { orgId, partnerId }: Organization, siteIds: readonly string[]): Promise<number> {
    const counted = await reader.one<{ eligible: number }>(ELIGIBLE, [partnerId, orgId, siteIds]);
    return counted?.eligible ?? 0;
  },
};

export type EscalationPolicyValues = Omit<EscalationPolicyRecord, 'orgId' | 'version'>;

const ESCALATION_POLICIES = new SettingsTable<EscalationPolicyRecord>('pam_escalation_policies', [
  'steps',
  'flow_types',
  'tell_device',
  'tell_requester',
]);
/** What holds without a policy. */
const NO_ESCALATION_POLICY = { steps: [], flowTypes: null, tellDevice: false, tellRequester: true, version: 0 };

export const escalationPolicies = {
  async find(reader: Reader, orgId: string): Promise<EscalationPolicyRecord> {
    return (await ESCALATION_POLICIES.find(reader, orgId)) ?? { orgId, ...NO_ESCALATION_POLICY };
  },

  save(tx: Tx, organization: Organization, values: EscalationPolicyValues): Promise<EscalationPolicyRecord> {
    const { steps, flowTypes, tellDevice, tellRequester } = values;
    return ESCALATION_POLICIES.save(tx, organization, [JSON.stringify(steps), flowTypes, tellDevice, tellRequester]);
  },
};

interface JustificationRow {
  readonly policy: JustificationPolicy;
  readonly version: number;
}

const JUSTIFICATION_POLICIES = new SettingsTable<JustificationRow>(
  'pam_justification_policies',
  ['reason_mode', 'min_letters', 'ticket_mode', 'ticket_masks', 'ticket_hint', 'hold_prompts'],
  `${JUSTIFICATION} AS policy`,
);
/** What holds without a policy. */
const NO_JUSTIFICATION_POLICY: JustificationRow = { policy: NO_JUSTIFICATION, version: 0 };

const justificationPolicyOf = (
  orgId: string,
  { policy: { reason, ticket, prompts }, version }: JustificationRow,
): JustificationPolicyRecord => ({
  orgId,
  reason,
  ticket: { ...ticket, masks: [...ticket.masks] },
  prompts,
  version,
});

export const justificationPolicies = {
  async find(reader: Reader, orgId: string): Promise<JustificationPolicyRecord> {
    return justificationPolicyOf(orgId, (await JUSTIFICATION_POLICIES.find(reader, orgId)) ?? NO_JUSTIFICATION_POLICY);
  },

  async save(tx: Tx, organization: Organization, values: JustificationPolicy): Promise<JustificationPolicyRecord> {
    const { reason, ticket, prompts } = values;
    const columns = [reason.mode, reason.minLetters, ticket.mode, ticket.masks, ticket.hint, prompts.hold];
    return justificationPolicyOf(organization.orgId, await JUSTIFICATION_POLICIES.save(tx, organization, columns));
  },
};

const CONFIG_COLUMNS = `org_id, default_unmatched_verdict, default_approval_minutes, risky_rules, allow_self_approval,
  approve_reasons, deny_reasons, version`;
const FIND_CONFIG = `SELECT ${CONFIG_COLUMNS} FROM pam_config WHERE org_id = $1`;
/** Unlike the policies, a config keeps what a change leaves out. */
const SAVE_CONFIG = `
  INSERT INTO pam_config AS c (org_id, partner_id, default_unmatched_verdict, default_approval_minutes, risky_rules,
    allow_self_approval, approve_reasons, deny_reasons)
    VALUES ($1, $2, $3, coalesce($4::integer, $5), coalesce($6::text, 'warn'), coalesce($7::boolean, false),
      coalesce($8::text[], '{}'), coalesce($9::text[], '{}'))
  ON CONFLICT (org_id) DO UPDATE SET default_unmatched_verdict = EXCLUDED.default_unmatched_verdict,
    default_approval_minutes = coalesce($4, c.default_approval_minutes), risky_rules = coalesce($6, c.risky_rules),
    allow_self_approval = coalesce($7, c.allow_self_approval), approve_reasons = coalesce($8, c.approve_reasons),
    deny_reasons = coalesce($9, c.deny_reasons), version = c.version + 1, updated_at = now()
  RETURNING ${CONFIG_COLUMNS}`;
/** An organisation without a row has the default verdict "ask a technician" (PAM-77). */
const NO_CONFIG: Omit<PamConfigRecord, 'orgId'> = {
  defaultUnmatchedVerdict: 'require_approval',
  defaultApprovalMinutes: DEFAULT_APPROVAL_MINUTES,
  riskyRules: 'warn',
  allowSelfApproval: false,
  approveReasons: [],
  denyReasons: [],
  version: 0,
};

export const configs = {
  async find(reader: Reader, orgId: string): Promise<PamConfigRecord> {
    return (await reader.one<PamConfigRecord>(FIND_CONFIG, [orgId])) ?? { orgId, ...NO_CONFIG };
  },

  async save(tx: Tx, { orgId, partnerId }: Organization, update: UpdatePamConfigDto): Promise<PamConfigRecord> {
    const [saved] = await tx.query<PamConfigRecord>(SAVE_CONFIG, [
      orgId,
      partnerId,
      update.defaultUnmatchedVerdict,
      update.defaultApprovalMinutes ?? null,
      DEFAULT_APPROVAL_MINUTES,
      update.riskyRules ?? null,
      update.allowSelfApproval ?? null,
      update.approveReasons ?? null,
      update.denyReasons ?? null,
    ]);
    return saved!;
  },
};
