import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  ALTER TABLE elevation_requests ADD COLUMN shadow jsonb;
  CREATE INDEX elevation_request_by_shadow ON elevation_requests USING gin (shadow jsonb_path_ops) WHERE shadow IS NOT NULL;
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

/** What shadow rules would have made of requests, and how many ignored prompts they match. */
export class ShadowHits1800000004242 implements MigrationInterface {
  name = 'ShadowHits1800000004242';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE pam_shadow_ignored; DROP INDEX elevation_request_by_shadow; ALTER TABLE elevation_requests DROP COLUMN shadow',
    );
  }
}
