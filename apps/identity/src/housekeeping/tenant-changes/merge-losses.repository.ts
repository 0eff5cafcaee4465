import type { Permission } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';
import { type Losses, type MergedOrganizations, warnOf } from '@gatehouse/tenant-data';

/** Members without a password and without an active provider besides those of the organisation. */
const ONLY_BY_PROVIDER = `
  SELECT count(DISTINCT m.user_id)::int AS people FROM memberships m
   WHERE m.level = 'organization' AND m.org_id = $1
     AND EXISTS (SELECT FROM sso_identity_links l JOIN sso_providers p ON p.id = l.provider_id
       WHERE l.user_id = m.user_id AND p.org_id = $1 AND p.status = 'active')
     AND NOT EXISTS (SELECT FROM credentials c WHERE c.user_id = m.user_id)
     AND NOT EXISTS (SELECT FROM sso_identity_links l JOIN sso_providers p ON p.id = l.provider_id
       WHERE l.user_id = m.user_id AND p.org_id IS DISTINCT FROM $1 AND p.status = 'active')`;
const IN_BOTH = `
  SELECT count(*)::int AS people FROM memberships m JOIN memberships o ON o.user_id = m.user_id AND o.level = m.level
   WHERE m.level = 'organization' AND m.org_id = $1 AND o.org_id = $2`;
const NAMED: Losses = {
  'These identity providers become inactive, and enforce nothing until they are activated again': `
    SELECT name FROM sso_providers WHERE org_id = $1 AND status = 'active' ORDER BY name, id`,
  'These roles get a suffix, because the surviving organisation has roles of the same name': `
    SELECT r.name FROM roles r JOIN roles o ON o.name = r.name AND o.org_id = $2 WHERE r.org_id = $1 ORDER BY r.name`,
  'These verified domains are dropped, because the surviving organisation has them': `
    SELECT d.domain AS name FROM sso_domains d JOIN sso_domains o ON o.domain = d.domain AND o.org_id = $2
     WHERE d.org_id = $1 ORDER BY d.domain`,
};

/** What the people of the merged organisation lose, and how they keep it (TEN-107). */
export async function mergeLosses(reader: Reader, run: MergedOrganizations): Promise<string[]> {
  const people = async (sql: string, ids: string[]): Promise<number> =>
    (await reader.one<{ people: number }>(sql, ids))?.people ?? 0;
  const locked = await people(ONLY_BY_PROVIDER, [run.sourceId]);
  const inBoth = await people(IN_BOTH, [run.sourceId, run.targetId]);
  return [
    locked > 0 &&
      `Users who sign in only through an identity provider that becomes inactive: ${locked}. They cannot sign in until an administrator tests and activates it in the surviving organisation, or they set a password first (“Forgotten password”).`,
    inBoth > 0 &&
      `Users who belong to both organisations: ${inBoth}. They keep their role in the surviving one, and lose the other role and the API keys made with it.`,
    ...(await warnOf(NAMED)(reader, run)).warnings,
  ].filter((warning): warning is string => warning !== false);
}

/** A member whose role is missing counts as one with every permission. */
const PERMISSIONS_OF_MEMBERS = `
  SELECT coalesce(array_agg(DISTINCT permission), '{}') AS permissions FROM (
    SELECT unnest(coalesce(r.permissions, '{*}')) AS permission
      FROM memberships m LEFT JOIN roles r ON r.id = m.role_id
     WHERE m.level = 'organization' AND m.org_id IN ($1, $2)
    UNION
    SELECT unnest(coalesce(r.permissions, '{*}'))
      FROM membership_offers o LEFT JOIN roles r ON r.id = o.role_id
     WHERE o.level = 'organization' AND o.org_id IN ($1, $2) AND o.expires_at > now() AND o.taken_at IS NULL
    UNION
    SELECT unnest(r.permissions) FROM sso_providers p JOIN roles r ON r.id = p.default_role_id
     WHERE p.org_id IN ($1, $2) AND p.auto_provision) found`;

/** @returns every permission that a member, an open invitation or a provider of either organisation has or gives */
export async function permissionsOfMembers(
  reader: Reader,
  { sourceId, targetId }: MergedOrganizations,
): Promise<Permission[]> {
  const found = await reader.one<{ permissions: Permission[] }>(PERMISSIONS_OF_MEMBERS, [sourceId, targetId]);
  return found?.permissions ?? ['*'];
}
