import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Marks the factors that sessions of identity providers enrolled. Users without a password had no other sessions; for
 * the factors of other users this is unknown, and they stay unmarked.
 */
export class FactorsByProviders1800000000291 implements MigrationInterface {
  name = 'FactorsByProviders1800000000291';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE mfa_factors ADD COLUMN by_provider boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN mfa_factors.by_provider IS 'A session that an identity provider opened enrolled it';
      UPDATE mfa_factors f SET by_provider = true
       WHERE NOT EXISTS (SELECT FROM credentials c WHERE c.user_id = f.user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mfa_factors DROP COLUMN by_provider');
  }
}
