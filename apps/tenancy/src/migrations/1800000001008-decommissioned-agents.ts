import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A decommissioned device keeps the hash of its token, so that its agent gets 403 and not the 401 of an unknown
 * token.
 */
export class DecommissionedAgents1800000001008 implements MigrationInterface {
  name = 'DecommissionedAgents1800000001008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP CONSTRAINT device_decommissioned_has_no_token');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      UPDATE devices SET agent_token_hash = NULL WHERE status = 'decommissioned';
      ALTER TABLE devices ADD CONSTRAINT device_decommissioned_has_no_token CHECK (status <> 'decommissioned' OR agent_token_hash IS NULL)`);
  }
}
