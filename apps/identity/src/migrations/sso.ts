import { tenantPolicy } from '@gatehouse/database';

const LINKS = `
  CREATE TABLE sso_identity_links (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    provider_id uuid NOT NULL REFERENCES sso_providers ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
    external_id varchar(255) NOT NULL,
    -- The lower case of a SAML subject that is an address and was stored before such subjects were folded; two of them
    -- may differ only in letter case.
    earlier_email_subject varchar(255),
    self_linked boolean NOT NULL DEFAULT false,
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
  COMMENT ON COLUMN sso_identity_links.self_linked IS 'The person proved the account for this link';
  CREATE INDEX sso_identity_links_user ON sso_identity_links (user_id);
  CREATE INDEX sso_identity_links_earlier_email_subject ON sso_identity_links (provider_id, earlier_email_subject)
    WHERE earlier_email_subject IS NOT NULL;
  ${tenantPolicy({ table: 'sso_identity_links', orgColumn: 'org_id', sharedByPartner: true })}`;

/**
 * These tables are consumed by DELETE … RETURNING under the database clock, and store hashes of the browser's values.
 */
const ONE_TIME_VALUES = `
  CREATE TABLE sso_login_sessions (
    state_hash char(64) PRIMARY KEY,
    -- It can be a test, which an administrator or the visitor of a set-up link begins.
    purpose text NOT NULL DEFAULT 'sign_in',
    attempt_id uuid,
    started_by uuid,
    setup_link_id uuid,
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
  CREATE INDEX sso_login_sessions_test ON sso_login_sessions (attempt_id) WHERE attempt_id IS NOT NULL;

  CREATE TABLE sso_exchange_codes (
    code_hash char(64) PRIMARY KEY,
    browser_hash char(64),
    session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '2 minutes'
  );
  COMMENT ON COLUMN sso_exchange_codes.browser_hash
    IS 'SHA-256 of the cookie of the browser that the code was issued to';
  CREATE INDEX sso_exchange_codes_session ON sso_exchange_codes (session_id);

  CREATE TABLE sso_saml_results (
    handle_hash char(64) PRIMARY KEY,
    state_hash char(64) NOT NULL,
    purpose text NOT NULL DEFAULT 'sign_in',
    attempt_id uuid,
    started_by uuid,
    setup_link_id uuid,
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

/** `record_sso_attempt` returns why a row was not written: a sign-in does not fail for want of its record. */
const ATTEMPTS = `
  CREATE TABLE sso_attempts (
    id uuid PRIMARY KEY,
    partner_id uuid,
    org_id uuid,
    provider_id uuid,
    provider_name text,
    kind text NOT NULL,
    protocol text NOT NULL,
    result text NOT NULL,
    code text,
    email text,
    user_id uuid,
    ip text,
    user_agent text,
    request_id text,
    config_version integer,
    trace_sealed text NOT NULL,
    setup_link_id uuid,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN sso_attempts.partner_id IS 'Null for a return that belongs to no sign-in';
  CREATE INDEX sso_attempts_partner ON sso_attempts (partner_id, id);
  CREATE INDEX sso_attempts_org ON sso_attempts (org_id, id) WHERE org_id IS NOT NULL;
  CREATE INDEX sso_attempts_setup_link ON sso_attempts (setup_link_id, id) WHERE setup_link_id IS NOT NULL;
  CREATE INDEX sso_attempts_age ON sso_attempts (created_at);
  ${tenantPolicy({ table: 'sso_attempts', orgColumn: 'org_id' })}
  CREATE FUNCTION record_sso_attempt(attempt jsonb) RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO sso_attempts
    SELECT * FROM jsonb_populate_record(NULL::sso_attempts, attempt || jsonb_build_object('created_at', now()));
    RETURN NULL;
  EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
  END $$;`;

export const SIGN_ON_SCHEMA = [LINKS, ONE_TIME_VALUES, ATTEMPTS];
