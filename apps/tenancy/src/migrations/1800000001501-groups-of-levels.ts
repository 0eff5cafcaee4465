import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a level of the organisation's approval policy names a group, and the version of the policy that said so. */
export class GroupsOfLevels1800000001501 implements MigrationInterface {
  name = 'GroupsOfLevels1800000001501';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE device_groups ADD COLUMN of_level boolean NOT NULL DEFAULT false,
        ADD COLUMN levels_version bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_groups DROP COLUMN of_level, DROP COLUMN levels_version');
  }
}
