import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A subscription that a provider's session or an API key made is confined to its tenant, which the tenant columns name;
 * they are empty for all others. The same endpoint may be subscribed for each tenant, so that none replaces another's.
 */
export class SubscriptionsOfOneTenant1800000000392 implements MigrationInterface {
  name = 'SubscriptionsOfOneTenant1800000000392';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNIQUE INDEX push_subscription_once_in_place ON push_subscriptions
        (user_id, endpoint, coalesce(org_id, partner_id, '00000000-0000-0000-0000-000000000000'));
      ALTER TABLE push_subscriptions DROP CONSTRAINT push_subscription_once`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      DELETE FROM push_subscriptions WHERE partner_id IS NOT NULL;
      ALTER TABLE push_subscriptions ADD CONSTRAINT push_subscription_once UNIQUE (user_id, endpoint);
      DROP INDEX push_subscription_once_in_place`);
  }
}
