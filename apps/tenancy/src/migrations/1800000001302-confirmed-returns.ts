import type { MigrationInterface, QueryRunner } from 'typeorm';

const statuses = (known: string): string => `
  ALTER TABLE devices DROP CONSTRAINT device_status_is_known, ADD CONSTRAINT device_status_is_known
    CHECK (status IN (${known}));`;

/** Machines that return without their token wait for an administrator; no key lets them return any more (TEN-101). */
export class ConfirmedReturns1800000001302 implements MigrationInterface {
  name = 'ConfirmedReturns1800000001302';
  /** The check only widens, so what the release before writes still passes. */
  contract = 'none: a check that is widened';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE enrollment_keys ALTER COLUMN allow_reenrollment SET DEFAULT false;
      UPDATE enrollment_keys SET allow_reenrollment = false WHERE allow_reenrollment;
      ALTER TABLE devices ADD COLUMN returns_as uuid;
      ${statuses(`'online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned'`)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      UPDATE devices SET status = 'decommissioned', decommissioned_at = now() WHERE status = 'awaiting_confirmation';
      ALTER TABLE devices DROP COLUMN returns_as;
      ALTER TABLE enrollment_keys ALTER COLUMN allow_reenrollment SET DEFAULT true;
      ${statuses(`'online', 'offline', 'maintenance', 'decommissioned'`)}`);
  }
}
