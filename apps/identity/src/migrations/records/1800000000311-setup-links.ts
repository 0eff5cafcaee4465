import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const LINKS = `
  CREATE TABLE sso_setup_links (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    provider_id uuid REFERENCES sso_providers ON DELETE CASCADE,
    token_hash text NOT NULL UNIQUE,
    purpose text NOT NULL,
    type text,
    preset text,
    recipient_email text,
    may_activate boolean NOT NULL,
    default_role_id uuid,
    auto_provision boolean NOT NULL,
    code_mac text,
    code_expires_at timestamptz,
    code_misses integer NOT NULL DEFAULT 0,
    codes_sent_at timestamptz[] NOT NULL DEFAULT '{}',
    created_by uuid NOT NULL,
    membership_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    last_opened_at timestamptz,
    completed_at timestamptz,
    revoked_at timestamptz
  );
  COMMENT ON COLUMN sso_setup_links.membership_id IS 'In whose authority the visitor acts; read anew at each call';
  CREATE INDEX sso_setup_links_owner ON sso_setup_links (partner_id, org_id, id);
  CREATE INDEX sso_setup_links_provider ON sso_setup_links (provider_id) WHERE provider_id IS NOT NULL;
  ${tenantPolicy({ table: 'sso_setup_links', orgColumn: 'org_id' })}`;

const VISITS = `
  CREATE TABLE sso_setup_visits (
    id uuid PRIMARY KEY,
    link_id uuid NOT NULL REFERENCES sso_setup_links ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
    token_hash text NOT NULL UNIQUE,
    ip text,
    user_agent text,
    opened_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX sso_setup_visits_link ON sso_setup_visits (link_id, id);
  ${tenantPolicy({ table: 'sso_setup_visits', orgColumn: 'org_id' })}`;

export class SetupLinks1800000000311 implements MigrationInterface {
  name = 'SetupLinks1800000000311';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LINKS);
    await runner.query(VISITS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sso_setup_visits; DROP TABLE sso_setup_links');
  }
}
