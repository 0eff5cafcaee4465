import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The steps that were taken for a request, each with its time. Steps of earlier releases are not among them. */
export class EscalationStory1800000004412 implements MigrationInterface {
  name = 'EscalationStory1800000004412';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests ADD COLUMN escalations jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests DROP COLUMN escalations');
  }
}
