import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change under `If-Match` is made to the version that its author read. */
export class RecordVersions1800000000271 implements MigrationInterface {
  name = 'RecordVersions1800000000271';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE roles ADD COLUMN version integer NOT NULL DEFAULT 1;
      ALTER TABLE sso_providers ADD COLUMN version integer NOT NULL DEFAULT 1;
      ALTER TABLE login_branding ADD COLUMN version integer NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE login_branding DROP COLUMN version;
      ALTER TABLE sso_providers DROP COLUMN version;
      ALTER TABLE roles DROP COLUMN version`);
  }
}
