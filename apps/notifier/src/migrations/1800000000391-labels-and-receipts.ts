import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A subscription has a label, and shows its user when a push last reached it or why one did not. */
export class LabelsAndReceipts1800000000391 implements MigrationInterface {
  name = 'LabelsAndReceipts1800000000391';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE push_subscriptions ADD COLUMN label text, ADD COLUMN last_delivered_at timestamptz,
        ADD COLUMN last_failure_at timestamptz, ADD COLUMN last_failure text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE push_subscriptions DROP COLUMN label, DROP COLUMN last_delivered_at, DROP COLUMN last_failure_at,
        DROP COLUMN last_failure`);
  }
}
