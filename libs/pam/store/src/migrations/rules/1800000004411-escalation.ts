import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  ALTER TABLE elevation_requests ADD COLUMN escalated_step smallint NOT NULL DEFAULT 0;
  CREATE TABLE pam_escalation_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    steps jsonb NOT NULL,
    flow_types text[],
    tell_device boolean NOT NULL,
    tell_requester boolean NOT NULL,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_escalation_policies', orgColumn: 'org_id' })}`;

/** What happens while a request waits, and the last step that was taken for it. */
export class Escalation1800000004411 implements MigrationInterface {
  name = 'Escalation1800000004411';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pam_escalation_policies; ALTER TABLE elevation_requests DROP COLUMN escalated_step');
  }
}
