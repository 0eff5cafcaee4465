import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The device version at the time of the request. pam-ingest may learn of a move before `device_ref` does, and only a
 * later version proves that the device has left the request's organisation. Null for older requests.
 */
export class DeviceVersions1800000004004 implements MigrationInterface {
  name = 'DeviceVersions1800000004004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests ADD COLUMN device_version bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests DROP COLUMN device_version');
  }
}
