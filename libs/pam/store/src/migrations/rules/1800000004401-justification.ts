import { REASON_MODES, TICKET_MODES } from '@gatehouse/contracts-pam';
import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneOf } from '../elevation-requests-sql.ts';

const UP = `
  ALTER TABLE elevation_requests ADD COLUMN ticket text, ADD COLUMN needs_ticket boolean NOT NULL DEFAULT false;
  CREATE TABLE pam_justification_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    reason_mode text NOT NULL CONSTRAINT pam_justification_reason_known CHECK (reason_mode IN (${oneOf(REASON_MODES)})),
    min_letters smallint NOT NULL CONSTRAINT pam_justification_letters CHECK (min_letters BETWEEN 0 AND 200),
    ticket_mode text NOT NULL CONSTRAINT pam_justification_ticket_known CHECK (ticket_mode IN (${oneOf(TICKET_MODES)})),
    ticket_masks text[] NOT NULL,
    ticket_hint text,
    hold_prompts boolean NOT NULL,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_justification_policies', orgColumn: 'org_id' })}`;

/**
 * Reasons and tickets: what an organisation asks for, the ticket of a request, and whether the request needed one when
 * it was made, so that a later change of the policy does not concern it.
 */
export class Justification1800000004401 implements MigrationInterface {
  name = 'Justification1800000004401';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE pam_justification_policies; ' +
        'ALTER TABLE elevation_requests DROP COLUMN ticket, DROP COLUMN needs_ticket',
    );
  }
}
