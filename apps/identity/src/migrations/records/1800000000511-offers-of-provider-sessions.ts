import { acrossTenants, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BACKED } from '../1800000000262-invitations-as-offers.ts';

const OFFERED = 'email, author_name, partner_id, org_id, level, role_id, org_access, org_ids, site_ids';

/** Like `delete_unbacked_offers`, which the release before still calls, but returns all that was offered. */
const WITHDRAW = acrossTenants({
  name: 'withdraw_offers_of(authors uuid[])',
  returns: `TABLE (id uuid, email text, author_name text, partner_id uuid, org_id uuid, level text, role_id uuid,
    org_access text, org_ids uuid[], site_ids uuid[], was_open boolean)`,
  volatility: 'VOLATILE',
  query: `DELETE FROM membership_offers m WHERE m.author_id = ANY (authors) AND NOT is_offer_backed(m.id)
    RETURNING m.id, ${OFFERED.replace(/\w+/g, 'm.$&')}, m.expires_at > now() AND m.taken_at IS NULL`,
});

/** The longest life of API keys, as a partner or an organisation sets it. */
const POLICIES = `
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

/** What the offer stands on is there: the author's link at an active provider, if such a session sent it. */
const BACKED_BY_ROOT = BACKED.replace(
  'WHERE o.id = offer AND (',
  `WHERE o.id = offer AND (o.provider_id IS NULL OR EXISTS (SELECT FROM sso_identity_links l
           JOIN sso_providers p ON p.id = l.provider_id AND p.status = 'active' WHERE l.id = o.link_id)) AND (`,
);

/**
 * An invitation that was sent in a session of an identity provider stands on the link by which that session was
 * opened, as API keys do.
 */
export class OffersOfProviderSessions1800000000511 implements MigrationInterface {
  name = 'OffersOfProviderSessions1800000000511';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE membership_offers
        ADD COLUMN provider_id uuid REFERENCES sso_providers ON DELETE CASCADE,
        ADD COLUMN link_id uuid REFERENCES sso_identity_links ON DELETE CASCADE;
      CREATE INDEX membership_offers_provider ON membership_offers (provider_id) WHERE provider_id IS NOT NULL;
      CREATE INDEX membership_offers_link ON membership_offers (link_id) WHERE link_id IS NOT NULL;
      ${POLICIES}
      ${BACKED_BY_ROOT}
      ${WITHDRAW}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${BACKED}
      DROP FUNCTION withdraw_offers_of;
      DROP TABLE api_key_policies;
      ALTER TABLE membership_offers DROP COLUMN provider_id, DROP COLUMN link_id`);
  }
}
