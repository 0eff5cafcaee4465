import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { acrossTenants, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Identity's copy of the tenants that tenancy owns, so that a membership can be checked without a request to tenancy.
 */
const TENANT_REFS = `
  CREATE TABLE partner_ref (
    partner_id uuid PRIMARY KEY,
    name text NOT NULL,
    slug text NOT NULL,
    status text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  CREATE TABLE org_ref (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    deleted boolean NOT NULL,
    merged_into_id uuid,
    version bigint NOT NULL
  );
  CREATE INDEX org_ref_partner ON org_ref (partner_id);
  CREATE TABLE site_ref (
    site_id uuid PRIMARY KEY,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  CREATE INDEX site_ref_org ON site_ref (org_id);`;

const PEOPLE = `
  CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT user_email_unique UNIQUE CONSTRAINT user_email_is_folded CHECK (email !~ '[A-Z]'),
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('invited', 'active', 'suspended')),
    break_glass boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 1,
    last_login_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE credentials (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    password_hash text NOT NULL,
    failed_attempts integer NOT NULL DEFAULT 0,
    locked_until timestamptz,
    changed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE roles (
    id uuid PRIMARY KEY,
    partner_id uuid,
    org_id uuid,
    name text NOT NULL,
    axis text NOT NULL CHECK (axis IN ('partner', 'organization')),
    permissions text[] NOT NULL,
    system boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT role_name_unique UNIQUE NULLS NOT DISTINCT (partner_id, org_id, name),
    CONSTRAINT role_has_owner CHECK (system = (partner_id IS NULL)),
    CONSTRAINT role_of_org_is_org_role CHECK (org_id IS NULL OR (axis = 'organization' AND partner_id IS NOT NULL))
  );
  CREATE TABLE memberships (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    level text NOT NULL CHECK (level IN ('system', 'partner', 'organization')),
    partner_id uuid,
    org_id uuid,
    role_id uuid NOT NULL CONSTRAINT membership_role REFERENCES roles,
    org_access text NOT NULL DEFAULT 'all' CHECK (org_access IN ('all', 'selected', 'none')),
    org_ids uuid[] NOT NULL DEFAULT '{}',
    site_ids uuid[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT membership_unique UNIQUE NULLS NOT DISTINCT (user_id, level, partner_id, org_id),
    CONSTRAINT membership_has_its_tenant CHECK ((level = 'system') = (partner_id IS NULL) AND (level = 'organization') = (org_id IS NOT NULL)),
    CONSTRAINT membership_selects_on_partner_level CHECK (level = 'partner' OR (org_access = 'all' AND org_ids = '{}')),
    CONSTRAINT membership_sites_on_org_level CHECK (level = 'organization' OR site_ids = '{}')
  );
  CREATE INDEX memberships_tenant ON memberships (partner_id, org_id);
  CREATE INDEX memberships_role ON memberships (role_id);`;

const SESSIONS = `
  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES memberships ON DELETE CASCADE,
    via text NOT NULL CHECK (via IN ('password', 'sso', 'invitation')),
    provider_id uuid,
    confined_org_id uuid,
    mfa_at timestamptz,
    mfa_via text,
    ip text,
    user_agent text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    revoke_reason text,
    CONSTRAINT session_mfa_has_its_means CHECK ((mfa_at IS NULL) = (mfa_via IS NULL))
  );
  CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
  CREATE INDEX sessions_membership ON sessions (membership_id);
  CREATE INDEX sessions_provider ON sessions (provider_id) WHERE provider_id IS NOT NULL;
  CREATE INDEX sessions_expiry ON sessions (expires_at);
  CREATE TABLE refresh_tokens (
    token_hash text PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    rotated_at timestamptz,
    successor_sealed text
  );
  CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
  CREATE UNIQUE INDEX refresh_token_one_alive ON refresh_tokens (session_id) WHERE rotated_at IS NULL;
  CREATE TABLE signing_keys (
    kid text PRIMARY KEY,
    state text NOT NULL CHECK (state IN ('next', 'current', 'retiring')),
    public_jwk jsonb NOT NULL,
    private_sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    state_since timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX signing_key_one_each ON signing_keys (state) WHERE state <> 'retiring';`;

const SECOND_FACTORS = `
  CREATE TABLE mfa_factors (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('totp', 'webauthn')),
    name text NOT NULL,
    secret_sealed text,
    last_step bigint,
    credential_id text CONSTRAINT factor_credential_unique UNIQUE,
    public_key bytea,
    counter bigint,
    transports text[],
    confirmed_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT factor_has_its_secret CHECK ((kind = 'totp') = (secret_sealed IS NOT NULL) AND (kind = 'webauthn') = (public_key IS NOT NULL))
  );
  CREATE INDEX mfa_factors_user ON mfa_factors (user_id);
  CREATE UNIQUE INDEX factor_one_totp ON mfa_factors (user_id, (confirmed_at IS NULL)) WHERE kind = 'totp';
  CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    code_hash text NOT NULL,
    PRIMARY KEY (user_id, code_hash)
  );
  CREATE TABLE mfa_challenges (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES memberships ON DELETE CASCADE,
    via text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    webauthn_challenge text,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX mfa_challenges_user ON mfa_challenges (user_id);
  CREATE TABLE webauthn_ceremonies (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    purpose text NOT NULL CHECK (purpose IN ('register', 'step_up')),
    challenge text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, purpose)
  );`;

const ONE_TIME_AND_KEYS = `
  CREATE TABLE invitations (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership jsonb,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN invitations.membership IS 'The membership that acceptance brings, for a person who has an account elsewhere already';
  CREATE INDEX invitations_user ON invitations (user_id);
  CREATE TABLE password_resets (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX password_resets_user ON password_resets (user_id);
  CREATE TABLE mail_outbox (
    id uuid PRIMARY KEY,
    mail_sealed text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX mail_outbox_due ON mail_outbox (due_at);
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES memberships ON DELETE CASCADE,
    partner_id uuid,
    org_id uuid,
    name text NOT NULL,
    key_hash text NOT NULL CONSTRAINT api_key_hash_unique UNIQUE,
    hint text NOT NULL,
    permissions text[] NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX api_keys_tenant ON api_keys (partner_id, org_id);
  CREATE INDEX api_keys_membership ON api_keys (membership_id);`;

/**
 * The memberships that give access now: of a user who is not suspended, in a partner and an organisation that are live.
 * Sign-in, refresh and introspection all read this view.
 */
const LIVE_MEMBERSHIPS = `
  CREATE VIEW live_memberships WITH (security_invoker = true) AS
  SELECT m.id, m.user_id, m.level, m.partner_id, m.org_id, m.role_id, m.org_access, m.org_ids, m.site_ids, r.name AS role_name, r.permissions,
         u.name, u.email, p.name AS partner_name, o.name AS org_name, (m.level = 'system' OR p.status = 'active') AS partner_active
    FROM memberships m
    JOIN users u ON u.id = m.user_id AND u.status <> 'suspended'
    JOIN roles r ON r.id = m.role_id
    LEFT JOIN partner_ref p ON p.partner_id = m.partner_id
    LEFT JOIN org_ref o ON o.org_id = m.org_id
   WHERE (m.level = 'system' OR NOT p.deleted)
     AND (m.level <> 'organization' OR (NOT o.deleted AND o.status NOT IN ('archived', 'purging')));`;

/**
 * The queries that deliberately cross tenants are named functions: a mail address is unique in the installation, and a
 * user's reach spans all tenants.
 */
export const LOOKUPS_ACROSS_TENANTS = `
  ${acrossTenants({
    name: 'user_id_of_email(address text)',
    returns: 'uuid',
    volatility: 'STABLE',
    query: `SELECT id FROM users WHERE email = address`,
  })}
  ${acrossTenants({
    name: 'membership_count(person uuid)',
    returns: 'bigint',
    volatility: 'STABLE',
    query: `SELECT count(*) FROM memberships WHERE user_id = person`,
  })}`;

const NEXT_STATES = acrossTenants({
  name: 'next_technician_states(people uuid[])',
  returns: 'TABLE (user_id uuid, name text, email text, active boolean, version bigint, reaches jsonb)',
  volatility: 'VOLATILE',
  query: `WITH changed AS (
      UPDATE users SET version = users.version + 1, updated_at = now() WHERE id = ANY (people) RETURNING id, users.name, users.email, status, users.version)
    SELECT c.id, c.name, c.email, c.status = 'active', c.version, coalesce((
        SELECT jsonb_agg(jsonb_build_object('level', m.level, 'partnerId', m.partner_id, 'allOrgs', m.level <> 'organization' AND m.org_access = 'all',
                 'orgIds', CASE WHEN m.level = 'organization' THEN to_jsonb(ARRAY[m.org_id]) ELSE to_jsonb(m.org_ids) END,
                 'siteIds', to_jsonb(m.site_ids), 'permissions', to_jsonb(r.permissions)) ORDER BY m.id)
          FROM memberships m JOIN roles r ON r.id = m.role_id WHERE m.user_id = c.id), '[]')
      FROM changed c`,
});

/** All callers see system roles; a caller sees a user when the caller sees one of the user's memberships. */
const POLICIES = `
  ${tenantPolicy({ table: 'partner_ref', orgColumn: null })}
  ${tenantPolicy({ table: 'org_ref', orgColumn: 'org_id' })}
  ${tenantPolicy({ table: 'site_ref', orgColumn: 'org_id' })}
  ${tenantPolicy({ table: 'memberships', orgColumn: 'org_id', sharedByPartner: true })}
  ${tenantPolicy({ table: 'api_keys', orgColumn: 'org_id', sharedByPartner: true })}
  ${tenantPolicy({ table: 'roles', orgColumn: 'org_id', sharedByPartner: true })}
  CREATE POLICY roles_of_the_system ON roles FOR SELECT USING (system AND (SELECT app_partner_id()) IS NOT NULL);
  ALTER TABLE users ENABLE ROW LEVEL SECURITY;
  ALTER TABLE users FORCE ROW LEVEL SECURITY;
  CREATE POLICY users_seen ON users FOR SELECT USING ((SELECT app_is_system()) OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id));
  CREATE POLICY users_changed ON users FOR UPDATE USING ((SELECT app_is_system()) OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id));
  CREATE POLICY users_removed ON users FOR DELETE USING ((SELECT app_is_system()) OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id));
  CREATE POLICY users_added ON users FOR INSERT WITH CHECK (true);`;

export class IdentityCore1800000000001 implements MigrationInterface {
  name = 'IdentityCore1800000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      TENANT_REFS +
        PEOPLE +
        SESSIONS +
        SECOND_FACTORS +
        ONE_TIME_AND_KEYS +
        LIVE_MEMBERSHIPS +
        LOOKUPS_ACROSS_TENANTS +
        NEXT_STATES,
    );
    for (const { id, name, axis, permissions } of SYSTEM_ROLES) {
      await runner.query('INSERT INTO roles (id, name, axis, permissions, system) VALUES ($1, $2, $3, $4, true)', [
        id,
        name,
        axis,
        permissions,
      ]);
    }
    await runner.query(POLICIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION user_id_of_email, membership_count, next_technician_states;
      DROP VIEW live_memberships;
      DROP TABLE api_keys, mail_outbox, password_resets, invitations, webauthn_ceremonies, mfa_challenges, recovery_codes, mfa_factors,
        signing_keys, refresh_tokens, sessions, memberships, roles, credentials, users, site_ref, org_ref, partner_ref`);
  }
}
