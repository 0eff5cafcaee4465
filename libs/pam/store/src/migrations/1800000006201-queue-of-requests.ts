import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the queue is sorted and filtered by, and who looks at a request. Earlier programs leave all of it empty. */
export class QueueOfRequests1800000006201 implements MigrationInterface {
  name = 'QueueOfRequests1800000006201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE elevation_requests ADD COLUMN flags text[], ADD COLUMN taken_by uuid,
      ADD COLUMN taken_by_name text, ADD COLUMN taken_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE elevation_requests DROP COLUMN flags, DROP COLUMN taken_by,
      DROP COLUMN taken_by_name, DROP COLUMN taken_until`);
  }
}
