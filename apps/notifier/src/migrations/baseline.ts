import { Baseline, tenantPolicy } from '@gatehouse/database';

/**
 * A subscription belongs to a user, in every tenant of that user. One that a provider's session made is confined to its
 * tenant, which the tenant columns name; they are empty for all others. The same endpoint may be subscribed for each
 * tenant, so that none replaces another's.
 */
const SUBSCRIPTIONS = `
  CREATE FUNCTION app_user_id() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT NULLIF(current_setting('app.user_id', true), '')::uuid $$;

  CREATE TABLE push_subscriptions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    partner_id uuid,
    org_id uuid,
    -- The identity provider whose session made it: it is suspended, or ends, with the provider.
    provider_id uuid,
    provider_version bigint NOT NULL DEFAULT 0,
    suspended boolean NOT NULL DEFAULT false,
    kind text NOT NULL CONSTRAINT push_subscription_kind CHECK (kind IN ('webpush', 'webhook')),
    endpoint text NOT NULL,
    sealed_keys text NOT NULL,
    label text,
    -- Its user sees when a push last reached it, or why one did not.
    last_delivered_at timestamptz,
    last_failure_at timestamptz,
    last_failure text,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX push_subscription_once_in_place ON push_subscriptions
    (user_id, endpoint, coalesce(org_id, partner_id, '00000000-0000-0000-0000-000000000000'));
  CREATE INDEX push_subscriptions_provider ON push_subscriptions (provider_id) WHERE provider_id IS NOT NULL;
  ALTER TABLE push_subscriptions ENABLE ROW LEVEL SECURITY;
  ALTER TABLE push_subscriptions FORCE ROW LEVEL SECURITY;
  CREATE POLICY push_subscriptions_owner ON push_subscriptions
    USING ((SELECT app_is_system()) OR user_id = (SELECT app_user_id()))
    WITH CHECK ((SELECT app_is_system()) OR user_id = (SELECT app_user_id()));

  CREATE TABLE push_reach (user_id uuid PRIMARY KEY, version bigint NOT NULL);`;

const DELIVERIES = `
  CREATE TABLE push_deliveries (
    id uuid PRIMARY KEY,
    subscription_id uuid NOT NULL REFERENCES push_subscriptions ON DELETE CASCADE,
    approval_id uuid NOT NULL,
    -- For a push about the end of a request.
    elevation_request_id uuid,
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
  -- Due ones are taken by partner, and by subscription within a partner.
  CREATE INDEX push_deliveries_of_partner ON push_deliveries (partner_id, subscription_id, next_attempt_at)
    WHERE delivered_at IS NULL;
  CREATE INDEX push_deliveries_expiring ON push_deliveries (expires_at) WHERE delivered_at IS NULL;
  ${tenantPolicy({ table: 'push_deliveries', orgColumn: 'org_id', sharedByPartner: true })}`;

const VAPID_KEYS = `
  CREATE TABLE vapid_keys (
    sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
    public_key text NOT NULL,
    sealed_private_key text NOT NULL
  );`;

export class Baseline1800000004530 extends Baseline {
  readonly name = 'Baseline1800000004530';
  readonly replaces = 'SubscriptionsOfProviders1800000000512';
  protected readonly schema = [SUBSCRIPTIONS, DELIVERIES, VAPID_KEYS];
}
