import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const RUNS = `
  -- A merge or a purge across all services: where it stands, and what it goes back to when it fails.
  CREATE TABLE organization_runs (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    survivor_id uuid,
    kind text NOT NULL CHECK (kind IN ('merge', 'purge')),
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    step text NOT NULL CHECK (step IN ('move', 'finish', 'rollback', 'purge')),
    participants text[] NOT NULL,
    -- By service: rows done and whether it finished the step.
    progress jsonb NOT NULL DEFAULT '{}',
    total bigint NOT NULL DEFAULT 0,
    tables jsonb NOT NULL DEFAULT '[]',
    warnings jsonb NOT NULL DEFAULT '[]',
    status_before text NOT NULL,
    error text,
    started_by jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT run_of_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE UNIQUE INDEX organization_one_run ON organization_runs (org_id) WHERE state IN ('queued', 'running');
  CREATE INDEX organization_runs_of_survivor ON organization_runs (survivor_id) WHERE state IN ('queued', 'running');
  ${tenantPolicy({ table: 'organization_runs', orgColumn: null })}`;

export class OrganizationRuns1800000001005 implements MigrationInterface {
  name = 'OrganizationRuns1800000001005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RUNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_runs');
  }
}
