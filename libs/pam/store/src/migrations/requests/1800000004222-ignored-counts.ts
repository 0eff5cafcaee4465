import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many prompts rules ignored, by hour and site: an ignored prompt leaves no request. Each batch of reports inserts
 * differences, so that concurrent batches do not contend for one counter; a periodic task sums them up.
 */
const CREATE = `
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
  ${['ignored_counts', 'ignored_count_deltas'].map((table) => tenantPolicy({ table, orgColumn: 'org_id' })).join('')}`;

export class IgnoredCounts1800000004222 implements MigrationInterface {
  name = 'IgnoredCounts1800000004222';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ignored_counts, ignored_count_deltas');
  }
}
