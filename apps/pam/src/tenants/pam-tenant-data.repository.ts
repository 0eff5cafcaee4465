import type { Tx } from '@gatehouse/database';
import { bumpRulebooks, ownersOf, RULEBOOK_PARTS } from '@gatehouse/pam-store';
import { type Losses, type MergedOrganizations, type TenantRegistry, warnOf } from '@gatehouse/tenant-data';

/**
 * Bumps the survivor's rulebook: what moved with the organisation, or its sites, groups and devices, now decides there.
 */
const bumpSurvivor =
  (kind: 'software_policy' | 'freeze') =>
  async (tx: Tx, ids: readonly string[]): Promise<void> =>
    bumpRulebooks(tx, await ownersOf(tx, RULEBOOK_PARTS[kind].table, ids), [{ kind, ids, editedBy: null }]);

/** Counts that were summed up after those of their hour have moved cannot follow. */
const IS_COUNTED = `
  EXISTS (SELECT FROM ignored_counts s WHERE s.org_id = $2 AND s.site_id = t.site_id AND s.at = t.at)`;
/** They are added to those of their hour before these move back. */
const ADD_UP = `
  WITH later AS (
    DELETE FROM ignored_counts l USING ignored_counts m WHERE m.id = ANY ($1::uuid[]) AND l.org_id = $2
      AND l.site_id = m.site_id AND l.at = m.at RETURNING m.id, l.count)
  UPDATE ignored_counts c SET count = c.count + later.count FROM later WHERE c.id = later.id`;
async function addUpCounts(tx: Tx, ids: readonly string[], { sourceId }: MergedOrganizations): Promise<void> {
  await tx.query(ADD_UP, [ids, sourceId]);
}

const named = (table: string): string => `SELECT name FROM ${table} WHERE org_id = $1 ORDER BY name, id`;

const LOSSES: Losses = {
  'These rules are deleted; recreate them in the surviving organisation if they are still needed': named('pam_rules'),
  'These signer groups are deleted; recreate them in the surviving organisation before its rules':
    named('signer_groups'),
  'These software policies of the whole organisation end': `
    SELECT name FROM software_policies WHERE org_id = $1 AND target_level = 'organization' ORDER BY name, id`,
  'These freezes hold for the whole surviving organisation from then on; lift them first where that is not meant': `
    SELECT reason AS name FROM pam_freezes WHERE level = 'organization' AND target_id = $1 AND ended_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at, id`,
  'These settings end, and those of the surviving organisation apply': `
    SELECT kind AS name FROM (
      SELECT 'configuration' AS kind FROM pam_config WHERE org_id = $1
      UNION ALL SELECT 'approval policy' FROM pam_approval_policies WHERE org_id = $1
      UNION ALL SELECT 'justification policy' FROM pam_justification_policies WHERE org_id = $1
      UNION ALL SELECT 'escalation policy' FROM pam_escalation_policies WHERE org_id = $1) AS settings ORDER BY kind`,
};

/**
 * Defines how PAM's rows are treated when an organisation is merged or purged. History and open requests move to the
 * survivor. Rules, signer groups and configuration do not: they would apply to devices for which they were not written.
 */
export const pamTenantData: TenantRegistry = {
  service: 'pam',
  remarks: warnOf(LOSSES),
  tables: [
    { table: 'elevation_counts', policy: 'follow', key: ['partner_id', 'org_id', 'flow_type', 'status'] },
    { table: 'elevation_count_deltas', policy: 'follow', key: ['partner_id', 'org_id', 'flow_type', 'status'] },
    { table: 'ignored_counts', policy: 'move', conflict: IS_COUNTED, beforeBack: addUpCounts },
    { table: 'ignored_count_deltas', policy: 'drop', key: ['org_id'] },
    { table: 'partner_ref', policy: 'keep' },
    { table: 'org_ref', policy: 'keep' },
    { table: 'technician_reach', policy: 'keep' },
    { table: 'site_ref', policy: 'follow', key: ['site_id'] },
    { table: 'group_ref', policy: 'follow', key: ['group_id'] },
    { table: 'device_ref', policy: 'follow', key: ['device_id'] },
    {
      table: 'elevation_requests',
      policy: 'move',
      // The survivor has other rules under the same number.
      overrides: { rulebook_version: { type: 'bigint', value: 'NULL' } },
    },
    { table: 'approvals', policy: 'move' },
    { table: 'elevation_votes', policy: 'move', key: ['elevation_request_id', 'user_id'] },
    { table: 'approval_questions', policy: 'move', key: ['elevation_request_id'] },
    { table: 'device_commands', policy: 'move' },
    {
      table: 'software_policies',
      policy: 'move',
      conflict: `t.target_level = 'organization'`,
      onMoved: bumpSurvivor('software_policy'),
    },
    { table: 'pam_freezes', policy: 'move', onMoved: bumpSurvivor('freeze') },
    { table: 'report_receipts', policy: 'drop', key: ['device_id', 'body_hash'] },
    { table: 'rulebook_parts', policy: 'drop', key: ['kind', 'id', 'valid_from'] },
    { table: 'rulebook_instants', policy: 'drop', key: ['org_id', 'version'] },
    { table: 'pam_shadow_ignored', policy: 'drop', key: ['rule_id', 'day'] },
    { table: 'pam_replay_changes', policy: 'drop', key: ['replay_id', 'request_id'] },
    { table: 'pam_replay_devices', policy: 'drop', key: ['replay_id', 'device_id'] },
    { table: 'pam_replays', policy: 'drop' },
    { table: 'rulebook_versions', policy: 'drop', key: ['org_id'] },
    { table: 'pam_rule_usage', policy: 'drop', key: ['rule_id', 'day'] },
    { table: 'pam_partner_rule_usage', policy: 'drop', key: ['rule_id', 'org_id', 'day'] },
    { table: 'pam_rule_opt_outs', policy: 'drop' },
    { table: 'pam_config', policy: 'drop', key: ['org_id'] },
    { table: 'pam_approval_policies', policy: 'drop', key: ['org_id'] },
    { table: 'pam_justification_policies', policy: 'drop', key: ['org_id'] },
    { table: 'pam_escalation_policies', policy: 'drop', key: ['org_id'] },
    { table: 'signer_groups', policy: 'drop' },
    { table: 'pam_rules', policy: 'drop' },
  ],
};
