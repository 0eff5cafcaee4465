import type { Tx } from '@gatehouse/database';
import type { MergedOrganizations } from '@gatehouse/tenant-data';
import { defaultSiteOf } from '../../sites/sites.repository.ts';
import { TOUCH_DEVICES } from '../../devices/devices.repository.ts';
import { publishDevice, type PublishedDevice, DEVICE_STATE } from '../../scope/publish-state.ts';

const LEAVE_GROUPS = `
  DELETE FROM device_group_members m WHERE m.device_id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT FROM device_group_placements p WHERE p.group_id = m.group_id AND p.org_id = $2)`;

// Rows of the merged organisation that rows of the survivor may still refer to. $1 organisation, $2 survivor.
const SITES = `SELECT p.site_id AS id FROM site_placements p JOIN sites s ON s.id = p.site_id WHERE s.org_id = $1
    AND p.org_id = $2`;
const GROUPS = `SELECT p.group_id AS id FROM device_group_placements p JOIN device_groups g ON g.id = p.group_id WHERE g.org_id = $1
    AND p.org_id = $2`;

const MEMBERS = 'SELECT device_id FROM device_group_members WHERE group_id = ANY ($1::uuid[]) AND org_id = $2';
// Memberships are deleted together with the placement that permits them.
const UNPLACE_GROUPS = 'DELETE FROM device_group_placements WHERE group_id = ANY ($1::uuid[]) AND org_id = $2';
const UNPIN_CONTACTS =
  'UPDATE contacts SET site_id = NULL, is_primary = false WHERE site_id = ANY ($1::uuid[]) AND org_id = $2';
const AT_SITES = `
  SELECT partner_id FROM enrollment_keys WHERE site_id = ANY ($1::uuid[]) AND org_id = $2
  UNION ALL SELECT partner_id FROM devices WHERE site_id = ANY ($1::uuid[]) AND org_id = $2 LIMIT 1`;
const MOVE_KEYS = 'UPDATE enrollment_keys SET site_id = $3 WHERE site_id = ANY ($1::uuid[]) AND org_id = $2';
const MOVE_DEVICES = `UPDATE devices d SET site_id = $3 WHERE d.site_id = ANY ($1::uuid[]) AND d.org_id = $2
  RETURNING ${DEVICE_STATE}`;
const UNPLACE_SITES = 'DELETE FROM site_placements WHERE site_id = ANY ($1::uuid[]) AND org_id = $2';

/** Devices that move back leave the groups of the survivor that they joined. */
export async function leaveForeignGroups(
  tx: Tx,
  deviceIds: readonly string[],
  { sourceId }: MergedOrganizations,
): Promise<void> {
  await tx.query(LEAVE_GROUPS, [deviceIds, sourceId]);
}

/** The survivor's own devices leave the groups that moved back. */
export async function clearGroupsOfSurvivor(tx: Tx, { sourceId, targetId }: MergedOrganizations): Promise<void> {
  const groupIds = await idsOf(tx, GROUPS, [sourceId, targetId]);
  const members = await tx.query<{ deviceId: string }>(MEMBERS, [groupIds, targetId]);
  await tx.query(UNPLACE_GROUPS, [groupIds, targetId]);
  for (const device of await tx.query<PublishedDevice>(TOUCH_DEVICES, [members.map(({ deviceId }) => deviceId)]))
    publishDevice(tx, device);
}

/**
 * Moves the survivor's own rows at sites that moved back to its default site; enrollment keys go before devices, so
 * that no key adds another device there.
 */
export async function clearSitesOfSurvivor(tx: Tx, { sourceId, targetId }: MergedOrganizations): Promise<void> {
  const siteIds = await idsOf(tx, SITES, [sourceId, targetId]);
  await tx.query(UNPIN_CONTACTS, [siteIds, targetId]);
  const left = await tx.one<{ partnerId: string }>(AT_SITES, [siteIds, targetId]);
  if (left) {
    const siteId = await defaultSiteOf(tx, { partnerId: left.partnerId, orgId: targetId });
    await tx.query(MOVE_KEYS, [siteIds, targetId, siteId]);
    for (const device of await tx.query<PublishedDevice>(MOVE_DEVICES, [siteIds, targetId, siteId]))
      publishDevice(tx, device);
  }
  await tx.query(UNPLACE_SITES, [siteIds, targetId]);
}

const idsOf = async (tx: Tx, sql: string, organizations: readonly string[]): Promise<string[]> =>
  (await tx.query<{ id: string }>(sql, organizations)).map(({ id }) => id);
