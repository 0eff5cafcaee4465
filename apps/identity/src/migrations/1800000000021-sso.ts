import { acrossTenants, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PROVIDERS = `
  CREATE TABLE sso_providers (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    owner_partner_id uuid,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    type text NOT NULL CHECK (type IN ('oidc', 'saml')),
    preset text,
    status text NOT NULL DEFAULT 'inactive' CHECK (status IN ('inactive', 'testing', 'active')),
    issuer varchar(500),
    client_id varchar(255),
    client_secret_sealed text,
    scopes varchar(500) NOT NULL,
    attribute_mapping jsonb NOT NULL,
    auto_provision boolean NOT NULL,
    default_role_id uuid,
    default_role_configured_by uuid,
    allowed_domains varchar(1000),
    enforce_sso boolean NOT NULL,
    trusts_idp_mfa boolean NOT NULL,
    authorization_url varchar(500),
    token_url varchar(500),
    user_info_url varchar(500),
    jwks_url varchar(500),
    token_auth_method text NOT NULL DEFAULT 'client_secret_basic' CHECK (token_auth_method IN ('client_secret_basic', 'client_secret_post')),
    entity_id varchar(1024),
    sso_url varchar(500),
    certificate text,
    name_id_format varchar(255),
    force_authn boolean NOT NULL DEFAULT false,
    warnings jsonb NOT NULL DEFAULT '[]',
    config_version integer NOT NULL DEFAULT 1,
    tested_version integer,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT provider_has_one_owner CHECK (num_nonnulls(org_id, owner_partner_id) = 1),
    CONSTRAINT provider_owner_is_its_partner CHECK (owner_partner_id IS NULL OR owner_partner_id = partner_id)
  );
  COMMENT ON COLUMN sso_providers.config_version IS 'The configuration generation: a sign-in that began under another one is refused';
  COMMENT ON COLUMN sso_providers.tested_version IS 'The generation under which a sign-in was last completed';
  CREATE INDEX sso_providers_org ON sso_providers (org_id, created_at, id);
  CREATE INDEX sso_providers_partner ON sso_providers (partner_id, created_at, id);
  ${tenantPolicy({ table: 'sso_providers', orgColumn: 'org_id', sharedByPartner: true })}`;

const LINKS = `
  CREATE TABLE sso_identity_links (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    provider_id uuid NOT NULL REFERENCES sso_providers ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
    external_id varchar(255) NOT NULL,
    email varchar(255) NOT NULL,
    profile_sealed text NOT NULL,
    access_token_sealed text,
    refresh_token_sealed text,
    token_expires_at timestamptz,
    last_login_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT identity_belongs_to_one_user UNIQUE (provider_id, external_id),
    CONSTRAINT user_has_one_identity_per_provider UNIQUE (provider_id, user_id)
  );
  CREATE INDEX sso_identity_links_user ON sso_identity_links (user_id);
  ${tenantPolicy({ table: 'sso_identity_links', orgColumn: 'org_id', sharedByPartner: true })}`;

/**
 * These tables are consumed by DELETE … RETURNING under the database clock, and store hashes of the browser's values.
 */
const ONE_TIME_VALUES = `
  CREATE TABLE sso_login_sessions (
    state_hash char(64) PRIMARY KEY,
    provider_id uuid NOT NULL REFERENCES sso_providers ON DELETE CASCADE,
    config_version integer NOT NULL,
    nonce varchar(64) NOT NULL,
    code_verifier varchar(128) NOT NULL,
    redirect_path varchar(500) NOT NULL,
    linking_user_id uuid,
    request_id varchar(64),
    expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX sso_login_sessions_provider ON sso_login_sessions (provider_id);
  CREATE INDEX sso_login_sessions_expiry ON sso_login_sessions (expires_at);
  CREATE TABLE sso_exchange_codes (
    code_hash char(64) PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '2 minutes'
  );
  CREATE INDEX sso_exchange_codes_session ON sso_exchange_codes (session_id);
  CREATE TABLE sso_saml_results (
    handle_hash char(64) PRIMARY KEY,
    state_hash char(64) NOT NULL,
    provider_id uuid NOT NULL REFERENCES sso_providers ON DELETE CASCADE,
    config_version integer NOT NULL,
    redirect_path varchar(500) NOT NULL,
    linking_user_id uuid,
    identity_sealed text NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '2 minutes'
  );
  CREATE TABLE sso_parked_links (
    token_hash char(64) PRIMARY KEY,
    provider_id uuid NOT NULL REFERENCES sso_providers ON DELETE CASCADE,
    config_version integer NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    identity_sealed text NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes'
  );`;

const DOMAINS = `
  CREATE TABLE sso_domains (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    domain varchar(253) NOT NULL,
    token text NOT NULL,
    verified_at timestamptz,
    last_checked_at timestamptz,
    misses integer NOT NULL DEFAULT 0,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT domain_once_per_org UNIQUE (org_id, domain)
  );
  CREATE INDEX sso_domains_verified ON sso_domains (domain) WHERE verified_at IS NOT NULL;
  ${tenantPolicy({ table: 'sso_domains', orgColumn: 'org_id' })}`;

const BRANDING = `
  CREATE TABLE login_branding (
    partner_id uuid PRIMARY KEY,
    logo_url text,
    accent_color char(7) CONSTRAINT branding_accent_is_hex CHECK (accent_color ~ '^#[0-9a-fA-F]{6}$'),
    headline varchar(120),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'login_branding', orgColumn: null })}`;

/**
 * SSO-42: a user is governed who belongs to the owner of an active, enforcing provider. Each axis governs its own
 * users: a partner's provider never governs an organisation's users. This function deliberately reads across tenants.
 */
const GOVERNED = `
  ${acrossTenants({
    name: 'is_governed(person uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM users u
        JOIN memberships m ON m.user_id = u.id
        JOIN sso_providers p ON p.partner_id = m.partner_id AND p.status = 'active' AND p.enforce_sso
         AND ((m.level = 'organization' AND p.org_id = m.org_id) OR (m.level = 'partner' AND p.owner_partner_id = m.partner_id))
       WHERE u.id = person AND NOT u.break_glass)`,
  })}`;

export class IdentitySso1800000000021 implements MigrationInterface {
  name = 'IdentitySso1800000000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PROVIDERS + LINKS + ONE_TIME_VALUES + DOMAINS + BRANDING + GOVERNED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION is_governed;
      DROP TABLE login_branding, sso_domains, sso_parked_links, sso_saml_results, sso_exchange_codes, sso_login_sessions, sso_identity_links, sso_providers`);
  }
}
