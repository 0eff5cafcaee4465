import { acrossTenants, tenantPolicy } from '@gatehouse/database';

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
    client_secret_expires_at timestamptz,
    scopes varchar(500) NOT NULL,
    attribute_mapping jsonb NOT NULL,
    auto_provision boolean NOT NULL,
    default_role_id uuid,
    default_role_configured_by uuid,
    allowed_domains varchar(1000),
    enforce_sso boolean NOT NULL,
    enforcement_stage text NOT NULL DEFAULT 'off',
    enforce_at timestamptz,
    enforcement_started_at timestamptz,
    enforcement_by uuid,
    enforcement_notice_at timestamptz,
    enforcement_postponed text,
    trusts_idp_mfa boolean NOT NULL,
    mfa_evidence text[] NOT NULL DEFAULT '{amr}',
    mfa_evidence_values jsonb NOT NULL DEFAULT '{}',
    subject_claim text NOT NULL DEFAULT 'sub',
    announces_iss boolean NOT NULL DEFAULT false,
    authorization_url varchar(500),
    token_url varchar(500),
    user_info_url varchar(500),
    jwks_url varchar(500),
    token_auth_method text NOT NULL DEFAULT 'client_secret_basic'
      CHECK (token_auth_method IN ('client_secret_basic', 'client_secret_post')),
    entity_id varchar(1024),
    sso_url varchar(500),
    certificate text,
    -- A certificate that was stored before weak keys were refused remains usable until then.
    weak_keys_until timestamptz,
    verified_certificates text[] NOT NULL DEFAULT '{}',
    decided_certificates text[] NOT NULL DEFAULT '{}',
    -- Ours, with which the provider encrypts assertions, and the keys that decrypt them (SSO-182).
    encryption_certificate text,
    encryption_keys_sealed text,
    name_id_format varchar(255),
    force_authn boolean NOT NULL DEFAULT false,
    metadata_url varchar(500),
    metadata_policy text NOT NULL DEFAULT 'auto_certificates',
    metadata_checked_at timestamptz,
    metadata_error text,
    metadata_failed_since timestamptz,
    metadata_due_at timestamptz,
    pending_change_id uuid,
    warnings jsonb NOT NULL DEFAULT '[]',
    config_version integer NOT NULL DEFAULT 1,
    tested_version integer,
    version integer NOT NULL DEFAULT 1,
    trusted_by uuid,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT provider_has_one_owner CHECK (num_nonnulls(org_id, owner_partner_id) = 1),
    CONSTRAINT provider_owner_is_its_partner CHECK (owner_partner_id IS NULL OR owner_partner_id = partner_id)
  );
  COMMENT ON COLUMN sso_providers.config_version
    IS 'The configuration generation: a sign-in that began under another one is refused';
  COMMENT ON COLUMN sso_providers.tested_version IS 'The generation under which a sign-in was last completed';
  COMMENT ON COLUMN sso_providers.trusted_by IS 'The administrator who last decided which identity source is trusted';
  COMMENT ON COLUMN sso_providers.announces_iss IS 'RFC 9207: the issuer says of itself that its callbacks carry iss';
  COMMENT ON COLUMN sso_providers.verified_certificates IS 'SHA-256 of the certificates that have verified a sign-in';
  COMMENT ON COLUMN sso_providers.decided_certificates
    IS 'SHA-256 of certificates about which a person decided; metadata neither add nor drop them';
  CREATE INDEX sso_providers_org ON sso_providers (org_id, created_at, id);
  CREATE INDEX sso_providers_partner ON sso_providers (partner_id, created_at, id);
  CREATE INDEX sso_providers_enforcement_due ON sso_providers (enforce_at) WHERE enforce_at IS NOT NULL;
  ${tenantPolicy({ table: 'sso_providers', orgColumn: 'org_id', sharedByPartner: true })}

  -- The stage of enforcement follows enforce_sso, which a writer may set alone (SSO-140).
  CREATE FUNCTION keep_enforcement_together() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.enforce_sso <> (NEW.enforcement_stage = 'enforce') THEN
      NEW.enforcement_stage := CASE WHEN NEW.enforce_sso THEN 'enforce' ELSE 'off' END;
    END IF;
    IF NEW.enforcement_stage <> 'warn' THEN
      NEW.enforce_at := NULL;
      NEW.enforcement_by := NULL;
      NEW.enforcement_notice_at := NULL;
      NEW.enforcement_postponed := NULL;
    END IF;
    IF NEW.enforcement_stage = 'off' THEN
      NEW.enforcement_started_at := NULL;
    ELSIF TG_OP = 'INSERT' OR NEW.enforcement_stage <> OLD.enforcement_stage THEN
      NEW.enforcement_started_at := now();
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER sso_providers_enforcement BEFORE INSERT OR UPDATE ON sso_providers
    FOR EACH ROW EXECUTE FUNCTION keep_enforcement_together();`;

/** The watch over certificates, metadata and secrets of identity providers (SSO-120 to SSO-134). */
const WATCH = `
  CREATE TABLE sso_metadata_changes (
    id uuid PRIMARY KEY,
    provider_id uuid NOT NULL REFERENCES sso_providers (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
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
  ${tenantPolicy({ table: 'sso_metadata_changes', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE sso_expiry_alerts (
    provider_id uuid NOT NULL REFERENCES sso_providers (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
    kind text NOT NULL,
    expires_at timestamptz NOT NULL,
    days integer NOT NULL,
    noticed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider_id, kind, expires_at, days)
  );
  COMMENT ON TABLE sso_expiry_alerts IS 'Each alert once for each value; a new value begins anew';
  ${tenantPolicy({ table: 'sso_expiry_alerts', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE sso_settings (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    renew_link_in_alerts boolean NOT NULL DEFAULT false,
    CONSTRAINT sso_settings_once_per_owner UNIQUE NULLS NOT DISTINCT (partner_id, org_id)
  );
  ${tenantPolicy({ table: 'sso_settings', orgColumn: 'org_id', sharedByPartner: true })}`;

const DOMAINS_AND_BRANDING = `
  CREATE TABLE sso_domains (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    domain varchar(253) NOT NULL,
    token text NOT NULL,
    verified_at timestamptz,
    last_checked_at timestamptz,
    misses integer NOT NULL DEFAULT 0,
    last_missed_at timestamptz,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT domain_once_per_org UNIQUE (org_id, domain)
  );
  CREATE INDEX sso_domains_verified ON sso_domains (domain) WHERE verified_at IS NOT NULL;
  ${tenantPolicy({ table: 'sso_domains', orgColumn: 'org_id' })}

  CREATE TABLE login_branding (
    partner_id uuid PRIMARY KEY,
    logo_url text,
    accent_color char(7) CONSTRAINT branding_accent_is_hex CHECK (accent_color ~ '^#[0-9a-fA-F]{6}$'),
    headline varchar(120),
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'login_branding', orgColumn: null })}`;

const SETUP_LINKS = `
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
  ${tenantPolicy({ table: 'sso_setup_links', orgColumn: 'org_id' })}

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

/**
 * SSO-42: a membership is governed in the owner of an active, enforcing provider, and no other membership of the user.
 * Each axis governs its own users: a partner's provider never governs an organisation's users. An archived or deleted
 * organisation signs no user in, so it must not prevent its users from signing in elsewhere by password. `is_governed`
 * is what the release before calls. These functions deliberately read across tenants.
 */
const GOVERNED = `
  ${acrossTenants({
    name: 'is_governed(person uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM users u
        JOIN live_memberships m ON m.user_id = u.id
        JOIN sso_providers p ON p.partner_id = m.partner_id AND p.status = 'active' AND p.enforce_sso
         AND ((m.level = 'organization' AND p.org_id = m.org_id)
           OR (m.level = 'partner' AND p.owner_partner_id = m.partner_id))
       WHERE u.id = person AND NOT u.break_glass)`,
  })}
  ${acrossTenants({
    name: 'is_membership_governed(membership uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM live_memberships m
        JOIN users u ON u.id = m.user_id AND NOT u.break_glass
        JOIN sso_providers p ON p.partner_id = m.partner_id AND p.status = 'active' AND p.enforce_sso
         AND ((m.level = 'organization' AND p.org_id = m.org_id)
           OR (m.level = 'partner' AND p.owner_partner_id = m.partner_id))
       WHERE m.id = membership)`,
  })}
  ${acrossTenants({
    name: 'is_governed_everywhere(person uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `
    SELECT coalesce(bool_and(is_membership_governed(m.id)), false)
      FROM live_memberships m WHERE m.user_id = person`,
  })}`;

export const PROVIDER_SCHEMA = [PROVIDERS, WATCH, DOMAINS_AND_BRANDING, SETUP_LINKS, GOVERNED];
