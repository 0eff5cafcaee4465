import { acrossTenants } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = `
         SELECT m.id, m.user_id, m.level, m.partner_id, m.org_id, m.role_id, m.org_access, m.org_ids, m.site_ids, r.name AS role_name, r.permissions,
                u.name, u.email, p.name AS partner_name, o.name AS org_name, (m.level = 'system' OR p.status = 'active') AS partner_active`;

const liveMemberships = (own: string): string => `
  CREATE OR REPLACE VIEW live_memberships WITH (security_invoker = true) AS
  ${COLUMNS}
    FROM memberships m
    JOIN users u ON u.id = m.user_id AND u.status <> 'suspended'
    JOIN roles r ON r.id = m.role_id
    LEFT JOIN partner_ref p ON p.partner_id = m.partner_id
    LEFT JOIN org_ref o ON o.org_id = m.org_id
   WHERE (m.level = 'system' OR NOT p.deleted)
     AND (m.level <> 'organization' OR (NOT o.deleted AND o.status NOT IN ('archived', 'purging')))${own};`;

/** SSO-42, per membership: the owner's provider governs this membership and no other membership of the user. */
export const GOVERNED_MEMBERSHIPS = `
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

const nextStates = (active: string, reaching: string): string =>
  acrossTenants({
    name: 'next_technician_states(people uuid[])',
    returns: 'TABLE (user_id uuid, name text, email text, active boolean, version bigint, reaches jsonb)',
    volatility: 'VOLATILE',
    first: 'PERFORM FROM users WHERE id = ANY (people) ORDER BY id FOR NO KEY UPDATE',
    query: `
    WITH changed AS (
      UPDATE users SET version = users.version + 1, updated_at = now() WHERE id = ANY (people)
      RETURNING id, users.name, users.email, status, users.version)
    SELECT c.id, c.name, c.email, ${active}, c.version, coalesce((
        SELECT jsonb_agg(jsonb_build_object('level', m.level, 'partnerId', m.partner_id,
                 'allOrgs', m.level <> 'organization' AND m.org_access = 'all',
                 'orgIds', CASE WHEN m.level = 'organization' THEN to_jsonb(ARRAY[m.org_id])
                                ELSE to_jsonb(m.org_ids) END,
                 'siteIds', to_jsonb(m.site_ids), 'permissions', to_jsonb(r.permissions)) ORDER BY m.id)
          FROM memberships m JOIN roles r ON r.id = m.role_id WHERE m.user_id = c.id${reaching}), '[]')
      FROM changed c`,
  });

const ACTIVE = `c.status = 'active'`;
const SOMEWHERE = `
           AND (NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = c.id)
             OR EXISTS (SELECT FROM memberships m WHERE m.user_id = c.id AND NOT m.suspended))`;

export const NEXT_STATES = nextStates(`${ACTIVE}${SOMEWHERE}`, ' AND NOT m.suspended');

/** Users whom a tenant suspended before this migration: their memberships at that time become suspended. */
const SUSPENDED_SO_FAR = `
  SELECT set_config('app.system', 'on', true);
  UPDATE memberships m SET suspended = true FROM users u WHERE u.id = m.user_id AND u.status = 'suspended';
  UPDATE users SET status = 'active' WHERE status = 'suspended';`;

/** Enforcement or a suspension by one tenant affects only the membership in that tenant. */
export class MembershipsApart1800000000261 implements MigrationInterface {
  name = 'MembershipsApart1800000000261';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE memberships ADD COLUMN suspended boolean NOT NULL DEFAULT false`);
    await runner.query(SUSPENDED_SO_FAR);
    await runner.query(
      liveMemberships(`
     AND NOT m.suspended`) +
        GOVERNED_MEMBERSHIPS +
        NEXT_STATES,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `${nextStates(ACTIVE, '')} DROP FUNCTION is_governed_everywhere, is_membership_governed; ${liveMemberships('')} ALTER TABLE memberships DROP COLUMN suspended`,
    );
  }
}
