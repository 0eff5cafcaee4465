import { tenantPolicy } from '@gatehouse/database';

/** How often each rule matched on each day, and how many ignored prompts shadow rules match. */
const RULE_USE = `
  CREATE TABLE pam_rule_usage (
    rule_id uuid NOT NULL,
    day date NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    matches bigint NOT NULL,
    last_matched_at timestamptz NOT NULL,
    PRIMARY KEY (rule_id, day)
  );
  CREATE INDEX pam_rule_usage_by_org ON pam_rule_usage (org_id, day);
  CREATE INDEX pam_rule_usage_by_day ON pam_rule_usage USING brin (day);
  ${tenantPolicy({ table: 'pam_rule_usage', orgColumn: 'org_id' })}

  CREATE TABLE pam_partner_rule_usage (
    rule_id uuid NOT NULL,
    org_id uuid NOT NULL,
    day date NOT NULL,
    partner_id uuid NOT NULL,
    matches bigint NOT NULL,
    last_matched_at timestamptz NOT NULL,
    PRIMARY KEY (rule_id, org_id, day)
  );
  CREATE INDEX pam_partner_rule_usage_by_org ON pam_partner_rule_usage (org_id);
  CREATE INDEX pam_partner_rule_usage_by_day ON pam_partner_rule_usage USING brin (day);
  ${tenantPolicy({ table: 'pam_partner_rule_usage', orgColumn: 'org_id' })}

  CREATE TABLE pam_shadow_ignored (
    rule_id uuid NOT NULL,
    day date NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    hits bigint NOT NULL,
    PRIMARY KEY (rule_id, day)
  );
  CREATE INDEX pam_shadow_ignored_by_org ON pam_shadow_ignored (org_id);
  ${tenantPolicy({ table: 'pam_shadow_ignored', orgColumn: 'org_id' })}`;

/**
 * How many prompts rules ignored, by hour and site: an ignored prompt leaves no request. Each batch of reports inserts
 * differences, so that concurrent batches do not contend for one counter; a periodic task sums them up.
 */
const IGNORED = `
  CREATE TABLE ignored_counts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid NOT NULL,
    at timestamptz NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT ignored_count_once UNIQUE (org_id, site_id, at)
  );
  CREATE INDEX ignored_count_by_time ON ignored_counts (at);
  CREATE TABLE ignored_count_deltas (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid NOT NULL,
    at timestamptz NOT NULL,
    count bigint NOT NULL
  );
  ${tenantPolicy({ table: 'ignored_counts', orgColumn: 'org_id' })}
  ${tenantPolicy({ table: 'ignored_count_deltas', orgColumn: 'org_id' })}`;

/**
 * Replays of changed rule sets: the job with its counts, the requests that change, and the devices that they concern.
 */
const REPLAYS = `
  CREATE TABLE pam_replays (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name text,
    state text NOT NULL DEFAULT 'queued'
      CONSTRAINT pam_replay_state_known CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    sites uuid[],
    flow_type text,
    since timestamptz NOT NULL,
    changes jsonb NOT NULL,
    default_unmatched_verdict text,
    rulebook_version bigint NOT NULL,
    position uuid,
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    tally jsonb,
    summary jsonb,
    error text,
    lease uuid,
    leased_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    -- When it was last worked on, so that replays of all partners get their turns.
    served_at timestamptz,
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    applied_at timestamptz
  );
  CREATE UNIQUE INDEX pam_replay_under_way ON pam_replays (org_id) WHERE state IN ('queued', 'running');
  CREATE INDEX pam_replay_by_org ON pam_replays (org_id, created_at DESC);
  CREATE INDEX pam_replay_created ON pam_replays (created_at);
  CREATE INDEX pam_replay_by_turn ON pam_replays (partner_id, served_at DESC NULLS LAST);
  ${tenantPolicy({ table: 'pam_replays', orgColumn: 'org_id' })}

  CREATE TABLE pam_replay_changes (
    replay_id uuid NOT NULL REFERENCES pam_replays (id) ON DELETE CASCADE,
    request_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    device_id uuid NOT NULL,
    device_hostname text NOT NULL,
    flow_type text NOT NULL,
    outcome text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    recorded_status text NOT NULL,
    recorded_source text,
    PRIMARY KEY (replay_id, request_id)
  );
  CREATE INDEX pam_replay_change_by_org ON pam_replay_changes (org_id);
  ${tenantPolicy({ table: 'pam_replay_changes', orgColumn: 'org_id' })}

  CREATE TABLE pam_replay_devices (
    replay_id uuid NOT NULL REFERENCES pam_replays (id) ON DELETE CASCADE,
    device_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    PRIMARY KEY (replay_id, device_id)
  );
  CREATE INDEX pam_replay_device_by_org ON pam_replay_devices (org_id);
  ${tenantPolicy({ table: 'pam_replay_devices', orgColumn: 'org_id' })}`;

export const RULE_USE_SCHEMA = [RULE_USE, IGNORED, REPLAYS];
