import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The identity provider whose session, or whose session's API key, made a request: the request ends with it. */
export class RequestsOfSessions1800000006000 implements MigrationInterface {
  name = 'RequestsOfSessions1800000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests ADD COLUMN requester_provider_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests DROP COLUMN requester_provider_id');
  }
}
