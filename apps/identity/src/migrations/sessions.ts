/** Sessions, the keys that sign their tokens, second factors, and what people prove themselves with by mail. */
export const SESSION_SCHEMA = `
  CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES memberships ON DELETE CASCADE,
    via text NOT NULL CHECK (via IN ('password', 'sso', 'invitation')),
    provider_id uuid,
    confined_org_id uuid,
    -- A session that keeps its refresh token in a cookie never gets one in a body, whatever its pages ask for.
    in_cookie boolean NOT NULL DEFAULT false,
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
  CREATE UNIQUE INDEX signing_key_one_each ON signing_keys (state) WHERE state <> 'retiring';

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
    by_provider boolean NOT NULL DEFAULT false,
    confirmed_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT factor_has_its_secret
      CHECK ((kind = 'totp') = (secret_sealed IS NOT NULL) AND (kind = 'webauthn') = (public_key IS NOT NULL))
  );
  COMMENT ON COLUMN mfa_factors.by_provider IS 'A session that an identity provider opened enrolled it';
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
  );

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
  CREATE INDEX mail_outbox_due ON mail_outbox (due_at);`;
