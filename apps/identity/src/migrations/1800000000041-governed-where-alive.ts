import { acrossTenants } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SSO-42. @param memberships the table or view of those that count */
export const governedBy = (memberships: string): string => `
  ${acrossTenants({
    name: 'is_governed(person uuid)',
    returns: 'boolean',
    volatility: 'STABLE',
    query: `SELECT EXISTS (
      SELECT FROM users u
        JOIN ${memberships} m ON m.user_id = u.id
        JOIN sso_providers p ON p.partner_id = m.partner_id AND p.status = 'active' AND p.enforce_sso
         AND ((m.level = 'organization' AND p.org_id = m.org_id)
           OR (m.level = 'partner' AND p.owner_partner_id = m.partner_id))
       WHERE u.id = person AND NOT u.break_glass)`,
  })}`;

/**
 * An archived or deleted organisation signs no user in, so it must not prevent its users from signing in elsewhere by
 * password.
 */
export class GovernedWhereAlive1800000000041 implements MigrationInterface {
  name = 'GovernedWhereAlive1800000000041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(governedBy('live_memberships'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(governedBy('memberships'));
  }
}
