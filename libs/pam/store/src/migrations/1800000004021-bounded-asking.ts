import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that limit the cost of a hostile device: why a request is pending, which rule or policy took most of the
 * work, and the device of each approval, of which a technician may have only so many open. Questions without a free
 * place are parked. Approvals from before have no device and do not count.
 */
const UP = `
  ALTER TABLE elevation_requests ADD COLUMN held text, ADD COLUMN costliest_id uuid;
  ALTER TABLE approvals ADD COLUMN device_id uuid;
  UPDATE approvals a SET device_id = r.device_id FROM elevation_requests r WHERE r.id = a.elevation_request_id AND a.status = 'pending';
  CREATE INDEX approval_open_by_device ON approvals (device_id, user_id) WHERE status = 'pending';
  ALTER TABLE approval_questions ADD COLUMN device_id uuid, ADD COLUMN parked boolean NOT NULL DEFAULT false;
  CREATE INDEX approval_question_by_device ON approval_questions (device_id, elevation_request_id);
  DROP INDEX approval_question_by_partner;
  CREATE INDEX approval_question_by_partner ON approval_questions (partner_id, elevation_request_id) WHERE NOT parked;
  CREATE INDEX org_ref_hidden ON org_ref (partner_id) WHERE deleted OR status IN ('archived', 'purging')`;

export class BoundedAsking1800000004021 implements MigrationInterface {
  name = 'BoundedAsking1800000004021';

  async up(runner: QueryRunner): Promise<void> {
    // Row security also applies to the tables' owner.
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX org_ref_hidden, approval_question_by_partner, approval_question_by_device, approval_open_by_device;
      CREATE INDEX approval_question_by_partner ON approval_questions (partner_id, elevation_request_id);
      ALTER TABLE approval_questions DROP COLUMN parked, DROP COLUMN device_id;
      ALTER TABLE approvals DROP COLUMN device_id;
      ALTER TABLE elevation_requests DROP COLUMN costliest_id, DROP COLUMN held`);
  }
}
