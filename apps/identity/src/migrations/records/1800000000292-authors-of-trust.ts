import type { MigrationInterface, QueryRunner } from 'typeorm';

const TRUSTED_BY = 'The administrator who last decided which identity source is trusted';

/** For providers from before this column, their creator counts as the author of their trust. */
export class AuthorsOfTrust1800000000292 implements MigrationInterface {
  name = 'AuthorsOfTrust1800000000292';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE sso_providers ADD COLUMN trusted_by uuid;
      COMMENT ON COLUMN sso_providers.trusted_by IS '${TRUSTED_BY}';
      UPDATE sso_providers SET trusted_by = created_by`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sso_providers DROP COLUMN trusted_by');
  }
}
