import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A vote that was given in a session of an identity provider ends with the provider. The author of a replay that ends
 * a part of a rulebook is an editor beside who applied it.
 */
export class VotesOfProviders1800000004521 implements MigrationInterface {
  name = 'VotesOfProviders1800000004521';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE elevation_votes ADD COLUMN provider_id uuid;
      CREATE INDEX elevation_votes_provider ON elevation_votes (provider_id)
        WHERE provider_id IS NOT NULL AND voided_at IS NULL;
      ALTER TABLE rulebook_parts ADD COLUMN ended_also_by uuid[] NOT NULL DEFAULT '{}'::uuid[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE elevation_votes DROP COLUMN provider_id; ALTER TABLE rulebook_parts DROP COLUMN ended_also_by',
    );
  }
}
