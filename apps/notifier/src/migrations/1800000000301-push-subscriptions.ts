import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT = { orgColumn: 'org_id', sharedByPartner: true };

/**
 * The push subscriptions of users, and the deliveries to them. Tenant columns are those of the session that
 * subscribed.
 */
export class PushSubscriptions1800000000301 implements MigrationInterface {
  name = 'PushSubscriptions1800000000301';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE push_subscriptions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        partner_id uuid,
        org_id uuid,
        kind text NOT NULL CONSTRAINT push_subscription_kind CHECK (kind IN ('webpush', 'webhook')),
        endpoint text NOT NULL,
        sealed_keys text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT push_subscription_once UNIQUE (user_id, endpoint)
      );
      CREATE TABLE push_deliveries (
        id uuid PRIMARY KEY,
        subscription_id uuid NOT NULL REFERENCES push_subscriptions ON DELETE CASCADE,
        approval_id uuid NOT NULL,
        partner_id uuid,
        org_id uuid,
        title text NOT NULL,
        expires_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        delivered_at timestamptz,
        last_error text,
        CONSTRAINT push_delivery_once UNIQUE (subscription_id, approval_id)
      );
      CREATE INDEX push_deliveries_due ON push_deliveries (next_attempt_at) WHERE delivered_at IS NULL;
      CREATE TABLE push_reach (user_id uuid PRIMARY KEY, version bigint NOT NULL);
      CREATE TABLE vapid_keys (sole boolean PRIMARY KEY DEFAULT true CHECK (sole), public_key text NOT NULL, sealed_private_key text NOT NULL);
      ${tenantPolicy({ table: 'push_subscriptions', ...TENANT })}
      ${tenantPolicy({ table: 'push_deliveries', ...TENANT })}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE push_deliveries, push_subscriptions, push_reach, vapid_keys');
  }
}
