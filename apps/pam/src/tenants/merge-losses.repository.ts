import type { Reader } from '@gatehouse/database';
import type { MergeQuestion, Remarks } from '@gatehouse/tenant-data';

const MAX_NAMED = 5;

interface Loss {
  /** Selects the names of what is lost; `$1` is the merged organisation. */
  readonly sql: string;
  readonly sentence: (names: string) => string;
}

const named = (table: string): string => `SELECT name FROM ${table} WHERE org_id = $1 ORDER BY name, id`;

const LOSSES: readonly Loss[] = [
  {
    sql: named('pam_rules'),
    sentence: (names) =>
      `These rules are deleted; recreate them in the surviving organisation if they are still needed: ${names}.`,
  },
  {
    sql: named('signer_groups'),
    sentence: (names) =>
      `These signer groups are deleted; recreate them in the surviving organisation before its rules: ${names}.`,
  },
  {
    sql: `SELECT name FROM software_policies WHERE org_id = $1 AND target_level = 'organization' ORDER BY name, id`,
    sentence: (names) => `These software policies of the whole organisation end: ${names}.`,
  },
  {
    sql: `SELECT reason AS name FROM pam_freezes WHERE level = 'organization' AND target_id = $1 AND ended_at IS NULL
            AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at, id`,
    sentence: (names) =>
      `These freezes of the organisation end; freeze its sites or the surviving organisation first: ${names}.`,
  },
  {
    sql: `SELECT kind AS name FROM (
            SELECT 'configuration' AS kind FROM pam_config WHERE org_id = $1
            UNION ALL SELECT 'approval policy' FROM pam_approval_policies WHERE org_id = $1
            UNION ALL SELECT 'justification policy' FROM pam_justification_policies WHERE org_id = $1
            UNION ALL SELECT 'escalation policy' FROM pam_escalation_policies WHERE org_id = $1) AS settings ORDER BY kind`,
    sentence: (names) => `These settings end, and those of the surviving organisation apply: ${names}.`,
  },
];

const listed = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMED)
    .map((name) => `“${name.slice(0, 60)}”`)
    .join(', ') + (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '');

/** What a merge ends in privileged access, and how to keep it (TEN-107). */
export async function mergeLosses(reader: Reader, { sourceId }: MergeQuestion): Promise<Remarks> {
  const warnings: string[] = [];
  for (const { sql, sentence } of LOSSES) {
    const names = (await reader.query<{ name: string }>(sql, [sourceId])).map(({ name }) => name);
    if (names.length > 0) warnings.push(sentence(listed(names)));
  }
  return { blockers: [], warnings };
}
