import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { acrossTenants, Baseline, tenantPolicy } from '@gatehouse/database';
import { TENANT_REFS } from '@gatehouse/tenant-data';
import { INVITATION_SCHEMA } from './invitations.ts';
import { PROVIDER_SCHEMA } from './providers.ts';
import { SESSION_SCHEMA } from './sessions.ts';
import { SIGN_ON_SCHEMA } from './sso.ts';

/**
 * Identity's copy of the tenants that tenancy owns, so that a membership can be checked without a request to tenancy.
 */
const KNOWN_TENANTS = `
  ${TENANT_REFS}
  CREATE INDEX org_ref_partner ON org_ref (partner_id);
  CREATE INDEX site_ref_org ON site_ref (org_id);`;

const ROLES_OF_THE_SYSTEM = SYSTEM_ROLES.map(
  ({ id, name, axis, permissions }) => `('${id}', '${name}', '${axis}', '{${permissions.join()}}', true)`,
).join(', ');

const OF_MEMBERS = 'USING ((SELECT app_is_system()) OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id))';

const PEOPLE = `
  CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL
      CONSTRAINT user_email_unique UNIQUE CONSTRAINT user_email_is_folded CHECK (email !~ '[A-Z]'),
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('invited', 'active', 'suspended')),
    break_glass boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 1,
    last_login_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE credentials (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    password_hash text NOT NULL,
    failed_attempts integer NOT NULL DEFAULT 0,
    locked_until timestamptz,
    changed_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE roles (
    id uuid PRIMARY KEY,
    partner_id uuid,
    org_id uuid,
    name text NOT NULL,
    axis text NOT NULL CHECK (axis IN ('partner', 'organization')),
    permissions text[] NOT NULL,
    system boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT role_name_unique UNIQUE NULLS NOT DISTINCT (partner_id, org_id, name),
    CONSTRAINT role_has_owner CHECK (system = (partner_id IS NULL)),
    CONSTRAINT role_of_org_is_org_role CHECK (org_id IS NULL OR (axis = 'organization' AND partner_id IS NOT NULL))
  );
  INSERT INTO roles (id, name, axis, permissions, system) VALUES ${ROLES_OF_THE_SYSTEM};
  ${tenantPolicy({ table: 'roles', orgColumn: 'org_id', sharedByPartner: true })}
  -- All callers see the roles of the system.
  CREATE POLICY roles_of_the_system ON roles FOR SELECT USING (system AND (SELECT app_partner_id()) IS NOT NULL);

  CREATE TABLE memberships (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    level text NOT NULL CHECK (level IN ('system', 'partner', 'organization')),
    partner_id uuid,
    org_id uuid,
    role_id uuid NOT NULL CONSTRAINT membership_role REFERENCES roles,
    org_access text NOT NULL DEFAULT 'all' CHECK (org_access IN ('all', 'selected', 'none')),
    org_ids uuid[] NOT NULL DEFAULT '{}',
    site_ids uuid[] NOT NULL DEFAULT '{}',
    -- By its tenant, which decides about no other membership of the user.
    suspended boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT membership_unique UNIQUE NULLS NOT DISTINCT (user_id, level, partner_id, org_id),
    CONSTRAINT membership_has_its_tenant
      CHECK ((level = 'system') = (partner_id IS NULL) AND (level = 'organization') = (org_id IS NOT NULL)),
    CONSTRAINT membership_selects_on_partner_level CHECK (level = 'partner' OR (org_access = 'all' AND org_ids = '{}')),
    CONSTRAINT membership_sites_on_org_level CHECK (level = 'organization' OR site_ids = '{}')
  );
  CREATE INDEX memberships_tenant ON memberships (partner_id, org_id);
  CREATE INDEX memberships_role ON memberships (role_id);
  ${tenantPolicy({ table: 'memberships', orgColumn: 'org_id', sharedByPartner: true })}

  -- A caller sees a user when the caller sees one of the user's memberships.
  ALTER TABLE users ENABLE ROW LEVEL SECURITY;
  ALTER TABLE users FORCE ROW LEVEL SECURITY;
  CREATE POLICY users_seen ON users FOR SELECT ${OF_MEMBERS};
  CREATE POLICY users_changed ON users FOR UPDATE ${OF_MEMBERS};
  CREATE POLICY users_removed ON users FOR DELETE ${OF_MEMBERS};
  CREATE POLICY users_added ON users FOR INSERT WITH CHECK (true);`;

/**
 * The memberships that give access now: not suspended, of a user who is not suspended, in a partner and an organisation
 * that are live. Sign-in, refresh and introspection all read this view.
 */
const LIVE_MEMBERSHIPS = `
  CREATE VIEW live_memberships WITH (security_invoker = true) AS
  SELECT m.id, m.user_id, m.level, m.partner_id, m.org_id, m.role_id, m.org_access, m.org_ids, m.site_ids,
         r.name AS role_name, r.permissions, u.name, u.email, p.name AS partner_name, o.name AS org_name,
         (m.level = 'system' OR p.status = 'active') AS partner_active
    FROM memberships m
    JOIN users u ON u.id = m.user_id AND u.status <> 'suspended'
    JOIN roles r ON r.id = m.role_id
    LEFT JOIN partner_ref p ON p.partner_id = m.partner_id
    LEFT JOIN org_ref o ON o.org_id = m.org_id
   WHERE (m.level = 'system' OR NOT p.deleted)
     AND (m.level <> 'organization' OR (NOT o.deleted AND o.status NOT IN ('archived', 'purging')))
     AND NOT m.suspended;`;

/**
 * The queries that deliberately cross tenants are named functions: a mail address is unique in the installation, and a
 * user's reach spans all tenants.
 */
const LOOKUPS_ACROSS_TENANTS = `
  ${acrossTenants({
    name: 'user_id_of_email(address text)',
    returns: 'uuid',
    volatility: 'STABLE',
    query: `SELECT id FROM users WHERE email = address`,
  })}
  ${acrossTenants({
    name: 'membership_count(person uuid)',
    returns: 'bigint',
    volatility: 'STABLE',
    query: `SELECT count(*) FROM memberships WHERE user_id = person`,
  })}`;

/**
 * A higher version must contain everything that lower versions contained. Concurrent callers wait for the row locks in
 * a separate statement: in plpgsql, unlike in sql, the next statement sees what was committed in the meantime. FOR NO
 * KEY UPDATE is the lock that the update itself takes, so it does not wait for foreign-key checks.
 */
const NEXT_STATES = acrossTenants({
  name: 'next_technician_states(people uuid[])',
  returns: 'TABLE (user_id uuid, name text, email text, active boolean, version bigint, reaches jsonb)',
  volatility: 'VOLATILE',
  first: 'PERFORM FROM users WHERE id = ANY (people) ORDER BY id FOR NO KEY UPDATE',
  query: `
    WITH changed AS (
      UPDATE users SET version = users.version + 1, updated_at = now() WHERE id = ANY (people)
      RETURNING id, users.name, users.email, status, users.version)
    SELECT c.id, c.name, c.email, c.status = 'active'
           AND (NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = c.id)
             OR EXISTS (SELECT FROM memberships m WHERE m.user_id = c.id AND NOT m.suspended)), c.version, coalesce((
        SELECT jsonb_agg(jsonb_build_object('level', m.level, 'partnerId', m.partner_id,
                 'allOrgs', m.level <> 'organization' AND m.org_access = 'all',
                 'orgIds', CASE WHEN m.level = 'organization' THEN to_jsonb(ARRAY[m.org_id])
                                ELSE to_jsonb(m.org_ids) END,
                 'siteIds', to_jsonb(m.site_ids), 'permissions', to_jsonb(r.permissions)) ORDER BY m.id)
          FROM memberships m JOIN roles r ON r.id = m.role_id WHERE m.user_id = c.id AND NOT m.suspended), '[]')
      FROM changed c`,
});

export class Baseline1800000004530 extends Baseline {
  readonly name = 'Baseline1800000004530';
  readonly replaces = 'EncryptedAssertions1800000000581';
  protected readonly schema = [
    KNOWN_TENANTS,
    PEOPLE,
    LIVE_MEMBERSHIPS,
    LOOKUPS_ACROSS_TENANTS,
    NEXT_STATES,
    SESSION_SCHEMA,
    ...PROVIDER_SCHEMA,
    ...SIGN_ON_SCHEMA,
    ...INVITATION_SCHEMA,
  ];
}
