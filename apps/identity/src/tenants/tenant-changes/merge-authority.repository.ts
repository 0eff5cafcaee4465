import type { Permission } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';
import type { MergedOrganizations } from '@gatehouse/tenant-data';

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
