import { acrossTenants } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = `
    WITH changed AS (
      UPDATE users SET version = users.version + 1, updated_at = now() WHERE id = ANY (people) RETURNING id, users.name, users.email, status, users.version)
    SELECT c.id, c.name, c.email, c.status = 'active', c.version, coalesce((
        SELECT jsonb_agg(jsonb_build_object('level', m.level, 'partnerId', m.partner_id, 'allOrgs', m.level <> 'organization' AND m.org_access = 'all',
                 'orgIds', CASE WHEN m.level = 'organization' THEN to_jsonb(ARRAY[m.org_id]) ELSE to_jsonb(m.org_ids) END,
                 'siteIds', to_jsonb(m.site_ids), 'permissions', to_jsonb(r.permissions)) ORDER BY m.id)
          FROM memberships m JOIN roles r ON r.id = m.role_id WHERE m.user_id = c.id), '[]')
      FROM changed c`;

const nextStates = (first?: string): string =>
  acrossTenants({
    name: 'next_technician_states(people uuid[])',
    returns: 'TABLE (user_id uuid, name text, email text, active boolean, version bigint, reaches jsonb)',
    volatility: 'VOLATILE',
    ...(first && { first }),
    query: STATES,
  });

/**
 * A higher version must contain everything that lower versions contained. Concurrent callers wait for the row locks in
 * a separate statement: in plpgsql, unlike in sql, the next statement sees what was committed in the meantime. FOR NO
 * KEY UPDATE is the lock that the update itself takes, so it does not wait for foreign-key checks.
 */
export class TechnicianStatesInTurn1800000000061 implements MigrationInterface {
  name = 'TechnicianStatesInTurn1800000000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(nextStates('PERFORM FROM users WHERE id = ANY (people) ORDER BY id FOR NO KEY UPDATE'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(nextStates());
  }
}
