import { acrossTenants, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

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
  CREATE TABLE invitation_mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    partner_id uuid,
    email text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX invitation_mails_address ON invitation_mails (email, partner_id, sent_at);
  CREATE INDEX invitation_mails_age ON invitation_mails (sent_at);
  ${tenantPolicy({ table: 'membership_offers', orgColumn: 'org_id', sharedByPartner: true })}
  ${tenantPolicy({ table: 'invitation_mails', orgColumn: null })}`;

/**
 * Tells whether the author may still grant what was offered; the SQL equivalent of requireReach and requireGrantable.
 */
export const BACKED = `
  ${acrossTenants({
    name: 'is_offer_backed(offer uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM membership_offers o JOIN roles r ON r.id = o.role_id
       WHERE o.id = offer AND (o.author_id IS NULL OR EXISTS (
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
  })}`;

/**
 * Accounts that were created for an invitation that was never accepted. No user has proved them, so they must be
 * invited again.
 */
const FORGET_THE_INVITED = `
  SELECT set_config('app.system', 'on', true);
  DELETE FROM users u WHERE u.status = 'invited' AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id) AND NOT EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id);`;

export class InvitationsAsOffers1800000000262 implements MigrationInterface {
  name = 'InvitationsAsOffers1800000000262';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OFFERS + BACKED);
    await runner.query(FORGET_THE_INVITED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION withdraw_unbacked_offers, is_offer_backed; DROP TABLE invitation_mails, membership_offers',
    );
  }
}
