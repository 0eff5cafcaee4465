import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Certificates stored before weak keys were refused remain usable for half a year after this upgrade. */
export class WeakSamlKeys1800000000231 implements MigrationInterface {
  name = 'WeakSamlKeys1800000000231';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE sso_providers ADD COLUMN weak_keys_until timestamptz;
      UPDATE sso_providers SET weak_keys_until = now() + interval '180 days' WHERE certificate IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sso_providers DROP COLUMN weak_keys_until');
  }
}
