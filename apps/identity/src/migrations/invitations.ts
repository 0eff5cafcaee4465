import { acrossTenants, tenantPolicy } from '@gatehouse/database';

/** An offer names no account: its author must not learn whether the address already has one in another tenant. */
const OFFERS = `
  CREATE TABLE membership_offers (
    id uuid PRIMARY KEY,
    membership_id uuid NOT NULL,
    token_hash text NOT NULL CONSTRAINT offer_token_unique UNIQUE,
    email text NOT NULL,
    name text NOT NULL,
    author_id uuid,
    author_name text NOT NULL,
    -- One that was sent in a session of an identity provider stands on the link by which that session was opened.
    provider_id uuid REFERENCES sso_providers ON DELETE CASCADE,
    link_id uuid REFERENCES sso_identity_links ON DELETE CASCADE,
    level text NOT NULL CHECK (level IN ('system', 'partner', 'organization')),
    partner_id uuid,
    org_id uuid,
    role_id uuid NOT NULL CONSTRAINT offer_role REFERENCES roles,
    org_access text NOT NULL,
    org_ids uuid[] NOT NULL,
    site_ids uuid[] NOT NULL,
    suspended boolean NOT NULL DEFAULT false,
    taken_at timestamptz,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT offer_unique UNIQUE NULLS NOT DISTINCT (email, level, partner_id, org_id)
  );
  COMMENT ON COLUMN membership_offers.id IS 'Becomes the id of the account when the address has none at acceptance';
  COMMENT ON COLUMN membership_offers.author_id IS 'Null for the operator';
  COMMENT ON COLUMN membership_offers.taken_at IS 'The membership came with another acceptance; the link only signs in';
  CREATE INDEX membership_offers_tenant ON membership_offers (partner_id, org_id);
  CREATE INDEX membership_offers_author ON membership_offers (author_id);
  CREATE INDEX membership_offers_role ON membership_offers (role_id);
  CREATE INDEX membership_offers_expiry ON membership_offers (expires_at);
  CREATE INDEX membership_offers_provider ON membership_offers (provider_id) WHERE provider_id IS NOT NULL;
  CREATE INDEX membership_offers_link ON membership_offers (link_id) WHERE link_id IS NOT NULL;
  ${tenantPolicy({ table: 'membership_offers', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE invitation_mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    partner_id uuid,
    email text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX invitation_mails_address ON invitation_mails (email, partner_id, sent_at);
  CREATE INDEX invitation_mails_age ON invitation_mails (sent_at);
  ${tenantPolicy({ table: 'invitation_mails', orgColumn: null })}

  -- No code reads or writes it any more; a later release drops it.
  CREATE TABLE invitations (
    token_hash text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership jsonb,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN invitations.membership
    IS 'The membership that acceptance brings, for a person who has an account elsewhere already';
  CREATE INDEX invitations_user ON invitations (user_id);`;

/**
 * Tells whether the author may still grant what was offered, the SQL equivalent of requireReach and requireGrantable,
 * and whether what the offer stands on is there: the author's link at an active provider, if such a session sent it.
 * The release before calls `withdraw_unbacked_offers` and `delete_unbacked_offers`.
 */
const BACKED = `
  ${acrossTenants({
    name: 'is_offer_backed(offer uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM membership_offers o JOIN roles r ON r.id = o.role_id
       WHERE o.id = offer AND (o.provider_id IS NULL OR EXISTS (SELECT FROM sso_identity_links l
           JOIN sso_providers p ON p.id = l.provider_id AND p.status = 'active' WHERE l.id = o.link_id))
         AND (o.author_id IS NULL OR EXISTS (
         SELECT FROM live_memberships a
          WHERE a.user_id = o.author_id AND a.partner_active
            AND ('*' = ANY (a.permissions) OR ('users:write' = ANY (a.permissions) AND r.permissions <@ a.permissions))
            AND CASE a.level
              WHEN 'system' THEN true
              WHEN 'partner' THEN a.partner_id = o.partner_id AND (a.org_access = 'all'
                OR (o.level = 'partner' AND (o.org_access = 'none'
                  OR (o.org_access = 'selected' AND a.org_access = 'selected' AND o.org_ids <@ a.org_ids)))
                OR (o.level = 'organization' AND a.org_access = 'selected' AND o.org_id = ANY (a.org_ids)))
              ELSE o.level = 'organization' AND a.org_id = o.org_id
                AND (a.site_ids = '{}' OR (o.site_ids <> '{}' AND o.site_ids <@ a.site_ids)) END)))`,
  })}
  ${acrossTenants({
    name: 'withdraw_unbacked_offers(authors uuid[])',
    returns: 'void',
    volatility: 'VOLATILE',
    query: `DELETE FROM membership_offers WHERE author_id = ANY (authors) AND NOT is_offer_backed(id)`,
  })}
  ${acrossTenants({
    name: 'delete_unbacked_offers(authors uuid[])',
    returns: 'TABLE (id uuid, email text, author_name text, partner_id uuid, org_id uuid, was_open boolean)',
    volatility: 'VOLATILE',
    query: `DELETE FROM membership_offers m WHERE m.author_id = ANY (authors) AND NOT is_offer_backed(m.id)
    RETURNING m.id, m.email, m.author_name, m.partner_id, m.org_id, m.expires_at > now() AND m.taken_at IS NULL`,
  })}
  ${acrossTenants({
    name: 'withdraw_offers_of(authors uuid[])',
    returns: `TABLE (id uuid, email text, author_name text, partner_id uuid, org_id uuid, level text, role_id uuid,
      org_access text, org_ids uuid[], site_ids uuid[], was_open boolean)`,
    volatility: 'VOLATILE',
    query: `DELETE FROM membership_offers m WHERE m.author_id = ANY (authors) AND NOT is_offer_backed(m.id)
      RETURNING m.id, m.email, m.author_name, m.partner_id, m.org_id, m.level, m.role_id, m.org_access, m.org_ids,
        m.site_ids, m.expires_at > now() AND m.taken_at IS NULL`,
  })}`;

const API_KEYS = `
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    membership_id uuid NOT NULL REFERENCES memberships ON DELETE CASCADE,
    partner_id uuid,
    org_id uuid,
    -- One that was made in a session of an identity provider stands on the link by which that session was opened.
    provider_id uuid REFERENCES sso_providers ON DELETE CASCADE,
    link_id uuid REFERENCES sso_identity_links ON DELETE CASCADE,
    name text NOT NULL,
    key_hash text NOT NULL CONSTRAINT api_key_hash_unique UNIQUE,
    hint text NOT NULL,
    permissions text[] NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX api_keys_tenant ON api_keys (partner_id, org_id);
  CREATE INDEX api_keys_membership ON api_keys (membership_id);
  CREATE INDEX api_keys_provider ON api_keys (provider_id) WHERE provider_id IS NOT NULL;
  CREATE INDEX api_keys_link ON api_keys (link_id) WHERE link_id IS NOT NULL;
  ${tenantPolicy({ table: 'api_keys', orgColumn: 'org_id', sharedByPartner: true })}

  -- The longest life of API keys, as a partner or an organisation sets it.
  CREATE TABLE api_key_policies (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    max_days integer NOT NULL CHECK (max_days BETWEEN 1 AND 3650),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_key_policy_of_owner UNIQUE NULLS NOT DISTINCT (partner_id, org_id)
  );
  COMMENT ON COLUMN api_key_policies.org_id IS 'Null for the policy of the partner, which binds its organisations too';
  ${tenantPolicy({ table: 'api_key_policies', orgColumn: 'org_id', sharedByPartner: true })}`;

export const INVITATION_SCHEMA = [OFFERS, BACKED, API_KEYS];
