import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A subscription belongs to a user, in every tenant of that user. The tenant columns stay, empty, until no replica of
 * the previous version writes them.
 */
export class SubscriptionsOfPeople1800000000302 implements MigrationInterface {
  name = 'SubscriptionsOfPeople1800000000302';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      UPDATE push_subscriptions SET partner_id = NULL, org_id = NULL;
      DROP POLICY push_subscriptions_tenant ON push_subscriptions;
      CREATE FUNCTION app_user_id() RETURNS uuid LANGUAGE sql STABLE AS $$ SELECT NULLIF(current_setting('app.user_id', true), '')::uuid $$;
      CREATE POLICY push_subscriptions_owner ON push_subscriptions
        USING ((SELECT app_is_system()) OR user_id = (SELECT app_user_id())) WITH CHECK ((SELECT app_is_system()) OR user_id = (SELECT app_user_id()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP POLICY push_subscriptions_owner ON push_subscriptions;
      DROP FUNCTION app_user_id;
      CREATE POLICY push_subscriptions_tenant ON push_subscriptions USING ((SELECT app_is_system())) WITH CHECK ((SELECT app_is_system()))`);
  }
}
