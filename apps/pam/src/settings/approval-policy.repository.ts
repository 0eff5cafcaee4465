import type { ApprovalLevelDto } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import type { ApprovalPolicyEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../tenants/organizations.repository.ts';

export type ApprovalPolicyRow = Omit<ApprovalPolicyEntity, 'partnerId' | 'updatedAt'>;
export type ApprovalPolicyValues = Omit<ApprovalPolicyRow, 'orgId' | 'version'>;

/** What holds without a policy. */
const NO_POLICY = {
  levels: [],
  defaultApprovals: 1,
  defaultPendingMinutes: null,
  ruleEditors: false,
  aiRequester: false,
  version: 0,
};

const COLUMNS = 'org_id, levels, default_approvals, default_pending_minutes, rule_editors, ai_requester, version';
const FIND = `SELECT ${COLUMNS} FROM pam_approval_policies WHERE org_id = $1`;
const SAVE = `
  INSERT INTO pam_approval_policies AS p (org_id, partner_id, levels, default_approvals, default_pending_minutes,
    rule_editors, ai_requester)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (org_id) DO UPDATE SET levels = EXCLUDED.levels, default_approvals = EXCLUDED.default_approvals,
    default_pending_minutes = EXCLUDED.default_pending_minutes, rule_editors = EXCLUDED.rule_editors,
    ai_requester = EXCLUDED.ai_requester, version = p.version + 1, updated_at = now()
  RETURNING ${COLUMNS}`;

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

@Injectable()
export class ApprovalPolicyRepository {
  async find(reader: Reader, orgId: string): Promise<ApprovalPolicyRow> {
    return (await reader.one<ApprovalPolicyRow>(FIND, [orgId])) ?? { orgId, ...NO_POLICY };
  }

  async save(tx: Tx, { orgId, partnerId }: Organization, values: ApprovalPolicyValues): Promise<ApprovalPolicyRow> {
    const { levels, defaultApprovals, defaultPendingMinutes, ruleEditors, aiRequester } = values;
    const [saved] = await tx.query<ApprovalPolicyRow>(SAVE, [
      orgId,
      partnerId,
      JSON.stringify(levels),
      defaultApprovals,
      defaultPendingMinutes,
      ruleEditors,
      aiRequester,
    ]);
    return saved!;
  }

  /** Whether every site that the levels name belongs to the organisation. */
  async hasSites(reader: Reader, { orgId }: Organization, levels: readonly ApprovalLevelDto[]): Promise<boolean> {
    const named = levels.flatMap(({ siteIds }) => siteIds ?? []);
    return named.length === 0 || (await reader.one(FOREIGN_SITES, [orgId, named])) === null;
  }

  /** Whether every device group that the levels name belongs to the organisation. */
  async hasGroups(reader: Reader, { orgId }: Organization, levels: readonly ApprovalLevelDto[]): Promise<boolean> {
    const named = levels.flatMap(({ deviceGroupIds }) => deviceGroupIds ?? []);
    return named.length === 0 || (await reader.one(FOREIGN_GROUPS, [orgId, named])) === null;
  }

  /**
   * How many people could approve at whichever of the sites is worst off, by the read model; without sites, of all.
   */
  async eligible(reader: Reader, { orgId, partnerId }: Organization, siteIds: readonly string[]): Promise<number> {
    const counted = await reader.one<{ eligible: number }>(ELIGIBLE, [partnerId, orgId, siteIds]);
    return counted?.eligible ?? 0;
  }
}
