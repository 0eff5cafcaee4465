import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The reasons of decisions that an organisation keeps, for the console to offer. */
export class ReasonsOfDecisions1800000004531 implements MigrationInterface {
  name = 'ReasonsOfDecisions1800000004531';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pam_config ADD COLUMN approve_reasons text[] NOT NULL DEFAULT '{}',
      ADD COLUMN deny_reasons text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pam_config DROP COLUMN approve_reasons, DROP COLUMN deny_reasons');
  }
}
