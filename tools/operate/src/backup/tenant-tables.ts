import type { DatabaseName } from '@gatehouse/contracts-core';
import type pg from 'pg';

/** How rows of one organisation come back from a backup. SQL is asked in the product, over the backup's row `t`. */
export interface Copied {
  /** The organisation's rows `t` in the backup, of a table without `org_id`. `$1` is the organisation. */
  readonly of?: string;
  /** Other rows stay behind. */
  readonly only?: string;
  /** Values other than those of the backup. */
  readonly set?: Readonly<Record<string, string>>;
  /** Rows in which something that was granted ends. */
  readonly ends?: string;
  /** Follows the rows in their transaction, and changes a row unless it is refused. `$1` is the organisation. */
  readonly then?: { readonly sql: string; readonly refusal: string };
}

/**
 * `ends`: the rows granted something, which does not come back; they are counted.
 * `stays`: the product has its own rows, makes them again from others, or needs them for minutes.
 */
export type Treatment = Copied | { readonly way: 'ends'; readonly of?: string } | { readonly way: 'stays' };

const COPIED: Copied = {};
const ENDS: Treatment = { way: 'ends' };
const STAYS: Treatment = { way: 'stays' };
/** Other versions leap. Of a copy of another service's row, the announcement that follows brings a later one. */
const SAME_VERSION: Copied = { set: { version: 't.version' } };
const NO_TOKENS = { agent_token_hash: 'NULL', previous_token_hash: 'NULL', previous_token_until: 'NULL' };

const all = (treatment: Treatment, tables: string): Record<string, Treatment> =>
  Object.fromEntries(tables.split(/\s+/).map((table) => [table, treatment]));
const exists = (table: string, condition: string): string => `EXISTS (SELECT FROM ${table} o WHERE ${condition})`;

const MEMBERS = 'SELECT m.user_id FROM memberships m WHERE m.org_id = $1';
const HAS_USER = exists('users', 'o.id = t.user_id');
/** A password or factor returns with an account that this transaction brings back, never to one that is there. */
const OF_RETURNED: Copied = {
  of: `t.user_id IN (${MEMBERS})`,
  only: exists('users', 'o.id = t.user_id AND o.xmin = pg_current_xact_id()::xid'),
};
const IN_SESSION = 'SELECT s.id FROM sessions s JOIN memberships m ON m.id = s.membership_id WHERE m.org_id = $1';
const OPEN_REQUEST = `t.status IN ('pending', 'approved', 'auto_approved', 'actuating')`;

/**
 * What becomes of each table of each database; the audit log is never written to. The tenancy database is last: by its
 * organisation the product learns that the rest is there.
 */
export const TREATMENTS: Readonly<Partial<Record<DatabaseName, Readonly<Record<string, Treatment>>>>> = {
  identity: {
    ...all(COPIED, 'roles api_key_policies sso_settings sso_expiry_alerts sso_attempts sso_domains'),
    site_ref: SAME_VERSION,
    users: {
      of: `t.id IN (${MEMBERS}) AND NOT EXISTS (
        SELECT FROM memberships m WHERE m.user_id = t.id AND m.org_id IS DISTINCT FROM $1)`,
      only: `NOT ${exists('users', 'o.id = t.id')}`,
    },
    ...all(OF_RETURNED, 'credentials mfa_factors recovery_codes'),
    memberships: { only: HAS_USER },
    sso_providers: { set: { pending_change_id: 'NULL' } },
    sso_metadata_changes: { only: `t.status <> 'held'` },
    sso_identity_links: {
      only: HAS_USER,
      set: { access_token_sealed: 'NULL', refresh_token_sealed: 'NULL', token_expires_at: 'NULL' },
      ends: 'num_nonnulls(t.access_token_sealed, t.refresh_token_sealed) > 0',
    },
    ...all(ENDS, 'api_keys membership_offers sso_setup_links sso_setup_visits'),
    sessions: { way: 'ends', of: `t.id IN (${IN_SESSION})` },
    refresh_tokens: { way: 'ends', of: `t.session_id IN (${IN_SESSION})` },
    ...all(STAYS, 'org_ref invitations password_resets mfa_challenges webauthn_ceremonies sso_exchange_codes'),
    ...all(STAYS, 'sso_login_sessions sso_parked_links sso_saml_results'),
  },
  pam: {
    ...all(COPIED, 'signer_groups pam_rules pam_config pam_approval_policies pam_justification_policies'),
    ...all(COPIED, 'pam_escalation_policies software_policies pam_freezes rulebook_parts pam_rule_usage'),
    ...all(COPIED, 'pam_partner_rule_usage pam_shadow_ignored ignored_counts ignored_count_deltas elevation_votes'),
    rulebook_instants: SAME_VERSION,
    rulebook_versions: {
      then: {
        sql: `INSERT INTO rulebook_instants (org_id, partner_id, version, at)
          SELECT org_id, partner_id, version, clock_timestamp() FROM rulebook_versions WHERE org_id = $1`,
        refusal: '',
      },
    },
    pam_rule_opt_outs: { only: exists('pam_rules', 'o.id = t.rule_id') },
    elevation_requests: {
      set: {
        status: `CASE WHEN ${OPEN_REQUEST} THEN 'expired' ELSE t.status END`,
        ended_at: `CASE WHEN ${OPEN_REQUEST} THEN now() ELSE t.ended_at END`,
      },
      ends: OPEN_REQUEST,
    },
    approvals: {
      set: {
        status: `CASE t.status WHEN 'pending' THEN 'expired' ELSE t.status END`,
        decided_at: `CASE t.status WHEN 'pending' THEN now() ELSE t.decided_at END`,
      },
      ends: `t.status = 'pending'`,
    },
    device_commands: { only: `t.status NOT IN ('queued', 'claimed')` },
    pam_replays: { only: `t.state NOT IN ('queued', 'running')` },
    ...all({ only: exists('pam_replays', 'o.id = t.replay_id') }, 'pam_replay_changes pam_replay_devices'),
    ...all(SAME_VERSION, 'site_ref group_ref'),
    device_ref: { set: { ...NO_TOKENS, ...SAME_VERSION.set } },
    approval_questions: ENDS,
    ...all(STAYS, 'org_ref report_receipts elevation_counts elevation_count_deltas'),
  },
  notifier: all(ENDS, 'push_subscriptions push_deliveries'),
  tenancy: {
    organizations: {
      of: 't.id = $1',
      set: { purge_at: 'NULL' },
      then: {
        sql: `UPDATE partner_counters c SET organizations = c.organizations + 1 FROM organizations o
          JOIN partners p ON p.id = o.partner_id WHERE o.id = $1 AND c.partner_id = p.id
           AND (p.max_organizations IS NULL OR c.organizations < p.max_organizations)`,
        refusal: 'the partner has as many organisations as it may have',
      },
    },
    ...all(COPIED, 'sites device_groups device_presence device_group_members contacts configuration_policies'),
    ...all(COPIED, 'configuration_policy_assignments custom_fields custom_field_values device_sources scripts'),
    devices: {
      set: {
        ...NO_TOKENS,
        status: `CASE t.status WHEN 'online' THEN 'offline' WHEN 'awaiting_confirmation' THEN 'decommissioned'
          ELSE t.status END`,
        decommissioned_at: `CASE t.status WHEN 'awaiting_confirmation' THEN now() ELSE t.decommissioned_at END`,
        returns_as: 'NULL',
      },
      ends: 't.agent_token_hash IS NOT NULL',
    },
    enrollment_keys: ENDS,
    ...all(STAYS, 'organization_runs site_placements device_group_placements device_counts device_count_deltas'),
  },
};

export interface Table {
  readonly name: string;
  readonly hasOrganization: boolean;
  readonly columns: readonly string[];
  /** The tables that its foreign keys name. */
  readonly parents: readonly string[];
}

/** Tables with `org_id`, those that have rows of an organisation by another column ($1), and what hangs on them. */
const TABLES = `
  WITH RECURSIVE keys AS (
    SELECT DISTINCT conrelid, confrelid FROM pg_constraint
     WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = 'public'::regnamespace),
  named AS (
    SELECT c.oid, a.attname IS NOT NULL AS has_organization FROM pg_class c
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition),
  reached AS (
    SELECT n.oid FROM named n WHERE n.has_organization OR n.oid::regclass::text = ANY ($1::text[])
    UNION SELECT k.conrelid FROM reached r JOIN keys k ON k.confrelid = r.oid)
  SELECT r.oid::regclass::text AS name, n.has_organization AS "hasOrganization",
         ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
                WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY a.attnum) AS columns,
         ARRAY(SELECT k.confrelid::regclass::text FROM keys k WHERE k.conrelid = r.oid) AS parents
    FROM reached r JOIN named n USING (oid) ORDER BY 1`;

/**
 * The tables that may hold rows of an organisation, as the database itself says; parents come before their children.
 * @throws Error that names a table of which nothing is known here
 */
export async function tenantTables(client: pg.Client, database: DatabaseName): Promise<Table[]> {
  const known = TREATMENTS[database] ?? {};
  const elsewhere = Object.keys(known).filter((name) => 'of' in (known[name] ?? {}));
  const { rows } = await client.query<Table>(TABLES, [elsewhere]);
  const unknown = rows.filter(({ name }) => !known[name]).map(({ name }) => name);
  if (unknown.length > 0) throw new Error(`${database}: how to treat ${unknown.join(', ')} is not known here`);
  return parentsFirst(rows);
}

function parentsFirst(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const next = rest.filter(({ parents }) => !parents.some((parent) => waiting.has(parent)));
    if (next.length === 0) throw new Error(`${[...waiting].join(', ')} refer to each other in a ring`);
    ordered.push(...next);
    rest = rest.filter((table) => !next.includes(table));
  }
  return ordered;
}
