import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const OF_TENANT = `
    partner_id uuid NOT NULL,
    org_id uuid`;
const OF_PROVIDER = `provider_id uuid NOT NULL REFERENCES sso_providers (id) ON DELETE CASCADE,${OF_TENANT}`;

const WATCH = `
  ALTER TABLE sso_providers
    ADD COLUMN metadata_url varchar(500),
    ADD COLUMN metadata_policy text NOT NULL DEFAULT 'auto_certificates',
    ADD COLUMN client_secret_expires_at timestamptz,
    ADD COLUMN metadata_checked_at timestamptz,
    ADD COLUMN metadata_error text,
    ADD COLUMN metadata_failed_since timestamptz,
    ADD COLUMN metadata_due_at timestamptz,
    ADD COLUMN pending_change_id uuid,
    ADD COLUMN verified_certificates text[] NOT NULL DEFAULT '{}',
    ADD COLUMN decided_certificates text[] NOT NULL DEFAULT '{}';
  COMMENT ON COLUMN sso_providers.verified_certificates IS 'SHA-256 of the certificates that have verified a sign-in';
  COMMENT ON COLUMN sso_providers.decided_certificates
    IS 'SHA-256 of certificates about which a person decided; metadata neither add nor drop them';
  CREATE TABLE sso_metadata_changes (
    id uuid PRIMARY KEY,
    ${OF_PROVIDER},
    status text NOT NULL,
    reason text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    detected_at timestamptz NOT NULL DEFAULT now(),
    settled_at timestamptz,
    settled_by uuid
  );
  CREATE INDEX sso_metadata_changes_provider ON sso_metadata_changes (provider_id, id);
  CREATE UNIQUE INDEX one_held_change_per_provider ON sso_metadata_changes (provider_id) WHERE status = 'held';
  CREATE TABLE sso_expiry_alerts (
    ${OF_PROVIDER},
    kind text NOT NULL,
    expires_at timestamptz NOT NULL,
    days integer NOT NULL,
    noticed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider_id, kind, expires_at, days)
  );
  COMMENT ON TABLE sso_expiry_alerts IS 'Each alert once for each value; a new value begins anew';
  CREATE TABLE sso_settings (
    id uuid PRIMARY KEY,${OF_TENANT},
    renew_link_in_alerts boolean NOT NULL DEFAULT false,
    CONSTRAINT sso_settings_once_per_owner UNIQUE NULLS NOT DISTINCT (partner_id, org_id)
  );
  ${['sso_metadata_changes', 'sso_expiry_alerts', 'sso_settings']
    .map((table) => tenantPolicy({ table, orgColumn: 'org_id', sharedByPartner: true }))
    .join('\n')}`;

const UNDO = `
  DROP TABLE sso_settings, sso_expiry_alerts, sso_metadata_changes;
  ALTER TABLE sso_providers
    DROP COLUMN metadata_url, DROP COLUMN metadata_policy, DROP COLUMN client_secret_expires_at,
    DROP COLUMN metadata_checked_at, DROP COLUMN metadata_error, DROP COLUMN metadata_failed_since,
    DROP COLUMN metadata_due_at, DROP COLUMN pending_change_id, DROP COLUMN verified_certificates,
    DROP COLUMN decided_certificates`;

/** The watch over certificates, metadata and secrets of identity providers (SSO-120 to SSO-134). */
export class WatchOverProviders1800000000321 implements MigrationInterface {
  name = 'WatchOverProviders1800000000321';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WATCH);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(UNDO);
  }
}
