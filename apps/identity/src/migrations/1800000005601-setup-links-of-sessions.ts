import { acrossTenants } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ADMINISTERS_OWNER } from '../people/grants/placement.ts';

const REVOKE = acrossTenants({
  name: 'revoke_setup_links_of(authors uuid[])',
  returns: 'TABLE (id uuid, recipient_email text, partner_id uuid, org_id uuid)',
  volatility: 'VOLATILE',
  query: `UPDATE sso_setup_links p SET revoked_at = now()
     WHERE p.created_by = ANY (authors) AND p.completed_at IS NULL AND p.revoked_at IS NULL AND p.expires_at > now()
       AND NOT EXISTS (SELECT FROM live_memberships c WHERE c.id = p.membership_id
         AND c.permissions && '{*,organizations:write}' AND ${ADMINISTERS_OWNER})
    RETURNING p.id, p.recipient_email, p.partner_id, p.org_id`,
});

/**
 * A set-up link ends with the authority of its author, and one that was made in a session of an identity provider
 * stands on the link by which that session was opened, as API keys and invitations do.
 */
export class SetupLinksOfSessions1800000005601 implements MigrationInterface {
  name = 'SetupLinksOfSessions1800000005601';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sso_setup_links ADD COLUMN root_provider_id uuid, ADD COLUMN root_link_id uuid;
      COMMENT ON COLUMN sso_setup_links.root_provider_id IS 'The provider whose session made the link; null for others';
      ${REVOKE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION revoke_setup_links_of;
      ALTER TABLE sso_setup_links DROP COLUMN root_provider_id, DROP COLUMN root_link_id`);
  }
}
