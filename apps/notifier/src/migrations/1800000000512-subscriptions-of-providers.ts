import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A subscription that a session of an identity provider made is suspended, or ends, with the provider. */
export class SubscriptionsOfProviders1800000000512 implements MigrationInterface {
  name = 'SubscriptionsOfProviders1800000000512';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE push_subscriptions
        ADD COLUMN provider_id uuid,
        ADD COLUMN provider_version bigint NOT NULL DEFAULT 0,
        ADD COLUMN suspended boolean NOT NULL DEFAULT false;
      CREATE INDEX push_subscriptions_provider ON push_subscriptions (provider_id) WHERE provider_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE push_subscriptions DROP COLUMN provider_id, DROP COLUMN provider_version, DROP COLUMN suspended',
    );
  }
}
