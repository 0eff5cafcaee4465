import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  CREATE TABLE pam_replays (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name text,
    state text NOT NULL DEFAULT 'queued' CONSTRAINT pam_replay_state_known CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
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
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    applied_at timestamptz
  );
  CREATE UNIQUE INDEX pam_replay_under_way ON pam_replays (org_id) WHERE state IN ('queued', 'running');
  CREATE INDEX pam_replay_by_org ON pam_replays (org_id, created_at DESC);
  CREATE INDEX pam_replay_created ON pam_replays (created_at);
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

/**
 * Replays of changed rule sets: the job with its counts, the requests that change, and the devices that they concern.
 */
export class Replays1800000004241 implements MigrationInterface {
  name = 'Replays1800000004241';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pam_replay_devices, pam_replay_changes, pam_replays');
  }
}
