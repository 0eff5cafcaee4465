import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Baseline } from './baseline.ts';

/**
 * The tables and functions that every service's database has besides its own: tenant context, outbox, inbox, dead
 * letters, stored results of idempotent requests.
 */
const PLATFORM_SCHEMA = `
  CREATE FUNCTION app_is_system() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(current_setting('app.system', true) = 'on', false) $$;
  CREATE FUNCTION app_partner_id() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT NULLIF(current_setting('app.partner_id', true), '')::uuid $$;
  CREATE FUNCTION app_all_orgs() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(current_setting('app.org_ids', true) = '*', false) $$;
  CREATE FUNCTION app_org_ids() RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN current_setting('app.org_ids', true) LIKE '{%'
      THEN current_setting('app.org_ids', true)::uuid[] ELSE '{}'::uuid[] END $$;

  -- Events are only passed on, so they are stored as the original text. Rows of outbox and inbox are searched once an
  -- hour by age, in tables that grow only at their end, so they need no index entry each.
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    subject text NOT NULL,
    envelope json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
  );
  CREATE INDEX outbox_unpublished ON outbox (sequence) WHERE published_at IS NULL;
  CREATE INDEX outbox_created ON outbox USING brin (created_at);

  CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
  );
  CREATE INDEX inbox_received ON inbox USING brin (received_at);

  CREATE TABLE dead_letters (
    id uuid PRIMARY KEY,
    consumer text NOT NULL,
    subject text NOT NULL,
    payload text NOT NULL,
    error text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    replayed_at timestamptz
  );

  CREATE TABLE idempotency_keys (
    caller_id text NOT NULL,
    key text NOT NULL,
    run integer NOT NULL,
    body_hash text NOT NULL,
    sealed_result text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (caller_id, key, run)
  );
  CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
`;

export class PlatformSchema1700000000001 extends Baseline {
  readonly name = 'PlatformSchema1700000000001';
  readonly replaces = 'CheaperOutbox1700000000003';
  protected readonly schema = [PLATFORM_SCHEMA];
}

/** When sessions of an identity provider ended, of one user or of all, in the services that keep what they made. */
export class ProviderEnds1800000007100 implements MigrationInterface {
  name = 'ProviderEnds1800000007100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE provider_ends (provider_id uuid NOT NULL, user_id uuid,
      ended_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_ends');
  }
}
