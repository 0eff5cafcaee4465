import {
  APPROVAL_STATUSES,
  DEFAULT_VERDICTS,
  HIERARCHY_LEVELS,
  POLICY_MODES,
  VERDICTS,
} from '@gatehouse/contracts-pam';
import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COMMAND_STATUSES } from '../commands/device-commands.repository.ts';
import { ELEVATION_REQUESTS, FIRST_PARTITIONS, oneOf } from './elevation-requests-sql.ts';
import { READ_MODELS } from './read-models-sql.ts';

/**
 * The tables that decide an organisation's requests. `version` is incremented with each change of a row, and
 * rulebook_versions with each change of any row of an organisation.
 */
const RULEBOOK = `
  CREATE TABLE rulebook_versions (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    version bigint NOT NULL DEFAULT 1
  );
  CREATE INDEX rulebook_version_by_partner ON rulebook_versions (partner_id);

  CREATE TABLE signer_groups (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    signers text[] NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT signer_group_in_org UNIQUE (org_id, id),
    CONSTRAINT signer_group_size CHECK (cardinality(signers) <= 500)
  );

  CREATE TABLE pam_rules (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    name text NOT NULL,
    description text,
    verdict text NOT NULL CONSTRAINT pam_rule_verdict_known CHECK (verdict IN (${oneOf(VERDICTS)})),
    priority integer NOT NULL DEFAULT 100,
    enabled boolean NOT NULL DEFAULT true,
    match_signer text,
    match_signer_group_id uuid,
    match_hash text CONSTRAINT pam_rule_hash_is_sha256 CHECK (match_hash ~ '^[0-9a-f]{64}$'),
    match_path_glob text,
    match_parent_image text,
    match_command_line text,
    match_user text,
    match_ad_group text,
    match_tool_name text,
    match_risk_tier smallint CONSTRAINT pam_rule_tier_known CHECK (match_risk_tier BETWEEN 0 AND 4),
    match_negate text[],
    time_window jsonb,
    approval_duration_minutes integer CONSTRAINT pam_rule_duration CHECK (approval_duration_minutes BETWEEN 1 AND 1440),
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pam_rule_signer_group_in_org FOREIGN KEY (org_id, match_signer_group_id) REFERENCES signer_groups (org_id, id),
    CONSTRAINT pam_rule_one_signer CHECK (match_signer IS NULL OR match_signer_group_id IS NULL),
    CONSTRAINT pam_rule_identifies CHECK (num_nonnulls(match_signer, match_signer_group_id, match_hash, match_path_glob, match_parent_image, match_command_line, match_user, match_ad_group, match_tool_name, match_risk_tier) > 0)
  );
  CREATE INDEX pam_rule_order ON pam_rules (org_id, priority, created_at, id);
  CREATE INDEX pam_rule_by_signer_group ON pam_rules (org_id, match_signer_group_id) WHERE match_signer_group_id IS NOT NULL;

  CREATE TABLE pam_config (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    default_unmatched_verdict text NOT NULL DEFAULT 'require_approval' CONSTRAINT pam_config_verdict_known CHECK (default_unmatched_verdict IN (${oneOf(DEFAULT_VERDICTS)})),
    default_approval_minutes integer NOT NULL DEFAULT 15 CONSTRAINT pam_config_minutes CHECK (default_approval_minutes BETWEEN 1 AND 1440),
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE software_policies (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    name text NOT NULL,
    mode text NOT NULL CONSTRAINT software_policy_mode_known CHECK (mode IN (${oneOf(POLICY_MODES)})),
    priority integer NOT NULL DEFAULT 100,
    enabled boolean NOT NULL DEFAULT true,
    target_level text NOT NULL CONSTRAINT software_policy_level_known CHECK (target_level IN (${oneOf(HIERARCHY_LEVELS)})),
    target_id uuid NOT NULL,
    rules jsonb NOT NULL DEFAULT '[]',
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT software_policy_org_below_partner CHECK ((target_level = 'partner') = (org_id IS NULL))
  );
  CREATE INDEX software_policy_by_org ON software_policies (partner_id, org_id);
`;

const WORK = `
  CREATE TABLE approvals (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    elevation_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_name text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CONSTRAINT approval_status_known CHECK (status IN (${oneOf(APPROVAL_STATUSES)})),
    reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    CONSTRAINT approval_once_per_technician UNIQUE (elevation_request_id, user_id)
  );
  CREATE INDEX approval_by_user ON approvals (user_id, id);
  CREATE INDEX approval_pending ON approvals (expires_at) WHERE status = 'pending';

  CREATE TABLE device_commands (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    device_id uuid NOT NULL,
    elevation_request_id uuid,
    type text NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    status text NOT NULL DEFAULT 'queued' CONSTRAINT device_command_status_known CHECK (status IN (${oneOf(COMMAND_STATUSES)})),
    created_at timestamptz NOT NULL DEFAULT now(),
    claimed_at timestamptz,
    expires_at timestamptz,
    finished_at timestamptz,
    result_detail text
  );
  CREATE INDEX device_command_open ON device_commands (device_id, id) WHERE status IN ('queued', 'claimed');
  CREATE INDEX device_command_by_request ON device_commands (elevation_request_id) WHERE elevation_request_id IS NOT NULL;

  -- Wakes the agent that waits for commands; the channel carries the device and nothing else.
  CREATE FUNCTION device_command_notify() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('device_commands', NEW.device_id::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER device_command_wakes AFTER INSERT ON device_commands FOR EACH ROW EXECUTE FUNCTION device_command_notify();

  -- The first answer to each report, so that a repeated one gets it again (decisions, "repeated report").
  CREATE TABLE report_receipts (
    device_id uuid NOT NULL,
    body_hash bytea NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    request_id uuid,
    status text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (device_id, body_hash)
  ) WITH (fillfactor = 100);
  CREATE INDEX report_receipt_received ON report_receipts USING brin (received_at);
`;

const POLICIES = [
  ...[
    'rulebook_versions',
    'signer_groups',
    'pam_rules',
    'pam_config',
    'approvals',
    'device_commands',
    'report_receipts',
    'elevation_requests',
  ].map((table) => tenantPolicy({ table, orgColumn: 'org_id' })),
  tenantPolicy({ table: 'software_policies', orgColumn: 'org_id', sharedByPartner: true }),
];

export class PamSchema1800000004001 implements MigrationInterface {
  name = 'PamSchema1800000004001';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [RULEBOOK, ELEVATION_REQUESTS, WORK, READ_MODELS, ...POLICIES, FIRST_PARTITIONS])
      await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE approvals, device_commands, report_receipts, elevation_requests, pam_rules, signer_groups, pam_config, software_policies, rulebook_versions,
        partner_ref, org_ref, site_ref, device_ref, technician_ref, technician_reach, push_reach;
      DROP FUNCTION device_command_notify, elevation_partitions_ahead, elevation_partitions_drop, elevation_partition_protect, uuid_from_instant`);
  }
}
