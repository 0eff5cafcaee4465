import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A push may be about the end of a request. */
export class PushesOfOutcomes1800000000401 implements MigrationInterface {
  name = 'PushesOfOutcomes1800000000401';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE push_deliveries ADD COLUMN elevation_request_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE push_deliveries DROP COLUMN elevation_request_id');
  }
}
