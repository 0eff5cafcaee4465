import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that agents rotate, and the protocol that they state. */
export class AgentProtocol21800000004171 implements MigrationInterface {
  name = 'AgentProtocol21800000004171';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE device_ref ADD COLUMN agent_protocol integer NOT NULL DEFAULT 1,
        ADD COLUMN previous_token_hash text, ADD COLUMN previous_token_until timestamptz;
      CREATE INDEX device_ref_by_previous_token ON device_ref (previous_token_hash) WHERE previous_token_hash IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE device_ref DROP COLUMN agent_protocol, DROP COLUMN previous_token_hash, DROP COLUMN previous_token_until',
    );
  }
}
