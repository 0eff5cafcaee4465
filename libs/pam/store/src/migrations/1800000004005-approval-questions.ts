import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending requests that still need approvals, because there were more than one transaction writes. */
const CREATE = `
  CREATE TABLE approval_questions (
    elevation_request_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    -- Technicians are asked in the order of their ids.
    asked_up_to uuid NOT NULL
  );
  CREATE INDEX approval_question_by_partner ON approval_questions (partner_id, elevation_request_id);
  ${tenantPolicy({ table: 'approval_questions', orgColumn: 'org_id' })}`;

export class ApprovalQuestions1800000004005 implements MigrationInterface {
  name = 'ApprovalQuestions1800000004005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE approval_questions');
  }
}
