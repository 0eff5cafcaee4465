import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  ALTER TABLE devices ADD COLUMN agent_protocol integer NOT NULL DEFAULT 1,
    ADD COLUMN previous_token_hash char(64), ADD COLUMN previous_token_until timestamptz;
  CREATE INDEX devices_by_previous_token ON devices (previous_token_hash) WHERE previous_token_hash IS NOT NULL;
  CREATE INDEX devices_by_machine ON devices (org_id, lower(serial_number), lower(hostname)) WHERE serial_number IS NOT NULL;
  ALTER TABLE enrollment_keys ADD COLUMN allow_reenrollment boolean NOT NULL DEFAULT true;`;

/** Tokens that agents rotate, the protocol that they state, and machines that enrol again. */
export class AgentProtocol21800000001171 implements MigrationInterface {
  name = 'AgentProtocol21800000001171';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE enrollment_keys DROP COLUMN allow_reenrollment;
      DROP INDEX devices_by_machine;
      ALTER TABLE devices DROP COLUMN agent_protocol, DROP COLUMN previous_token_hash, DROP COLUMN previous_token_until;`);
  }
}
