import { acrossTenants } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Like `withdraw_unbacked_offers`, which the release before still calls, but returns what it deleted, so that each
 * withdrawn invitation is audited.
 */
export const DELETE_UNBACKED = `
  ${acrossTenants({
    name: 'delete_unbacked_offers(authors uuid[])',
    returns: 'TABLE (id uuid, email text, author_name text, partner_id uuid, org_id uuid, was_open boolean)',
    volatility: 'VOLATILE',
    query: `DELETE FROM membership_offers m WHERE m.author_id = ANY (authors) AND NOT is_offer_backed(m.id)
    RETURNING m.id, m.email, m.author_name, m.partner_id, m.org_id, m.expires_at > now() AND m.taken_at IS NULL`,
  })}`;

export class WithdrawnOffers1800000000263 implements MigrationInterface {
  name = 'WithdrawnOffers1800000000263';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DELETE_UNBACKED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION delete_unbacked_offers');
  }
}
