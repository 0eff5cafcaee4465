import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A vote that was given in a session of an identity provider ends with the provider. */
export class VotesOfProviders1800000004521 implements MigrationInterface {
  name = 'VotesOfProviders1800000004521';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE elevation_votes ADD COLUMN provider_id uuid;
      CREATE INDEX elevation_votes_provider ON elevation_votes (provider_id)
        WHERE provider_id IS NOT NULL AND voided_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_votes DROP COLUMN provider_id');
  }
}
