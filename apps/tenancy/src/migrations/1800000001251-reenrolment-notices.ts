import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers of which enrolment the administrators of a device's owner were told. */
export class ReenrolmentNotices1800000001251 implements MigrationInterface {
  name = 'ReenrolmentNotices1800000001251';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices ADD COLUMN reenrolment_told_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE devices DROP COLUMN reenrolment_told_at');
  }
}
