import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROUND_TRIPS = ['sso_login_sessions', 'sso_saml_results'];
const PURPOSE = `
  ADD COLUMN purpose text NOT NULL DEFAULT 'sign_in',
  ADD COLUMN attempt_id uuid,
  ADD COLUMN started_by uuid,
  ADD COLUMN setup_link_id uuid`;

/** A round trip can be a test, which an administrator or the visitor of a set-up link begins. */
export class TestSignIns1800000000541 implements MigrationInterface {
  name = 'TestSignIns1800000000541';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ROUND_TRIPS) await runner.query(`ALTER TABLE ${table} ${PURPOSE}`);
    await runner.query(`
      CREATE INDEX sso_login_sessions_test ON sso_login_sessions (attempt_id) WHERE attempt_id IS NOT NULL;
      ALTER TABLE sso_attempts ADD COLUMN setup_link_id uuid;
      CREATE INDEX sso_attempts_setup_link ON sso_attempts (setup_link_id, id) WHERE setup_link_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sso_attempts DROP COLUMN setup_link_id');
    for (const table of ROUND_TRIPS)
      await runner.query(`
        ALTER TABLE ${table} DROP COLUMN purpose, DROP COLUMN attempt_id, DROP COLUMN started_by,
          DROP COLUMN setup_link_id`);
  }
}
