import type { EventActor } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { Losses } from '@gatehouse/tenant-data';
import {
  DEVICE_STATE,
  GROUP_STATE,
  publishDevice,
  type PublishedDevice,
  type PublishedGroup,
  publishGroup,
  publishSite,
} from '../../scope/publish-state.ts';

const SITES = 'SELECT id, org_id, partner_id, name, version FROM sites WHERE id = ANY ($1::uuid[])';
const GROUPS = `SELECT ${GROUP_STATE} FROM device_groups WHERE id = ANY ($1::uuid[])`;
const DEVICES = `
  SELECT ${DEVICE_STATE}, (SELECT started_by FROM organization_runs WHERE id = $2) AS moved_by
    FROM devices d WHERE d.id = ANY ($1::uuid[])`;

const PLACE_SITES = `
  INSERT INTO site_placements (site_id, org_id, partner_id)
  SELECT site_id, $2, partner_id FROM site_placements WHERE org_id = $1 ON CONFLICT DO NOTHING`;
const PLACE_GROUPS = `
  INSERT INTO device_group_placements (group_id, org_id, partner_id)
  SELECT group_id, $2, partner_id FROM device_group_placements WHERE org_id = $1 ON CONFLICT DO NOTHING`;

const inBoth = (table: string, column: string): string =>
  `SELECT t.${column} AS name FROM ${table} t JOIN ${table} o ON o.${column} = t.${column} AND o.org_id = $2
    WHERE t.org_id = $1 ORDER BY 1`;

export const LOSSES: Losses = {
  'These custom fields get another key, because the surviving organisation has the same': inBoth(
    'custom_fields',
    'field_key',
  ),
  'These device groups get a suffix, because the surviving organisation has the same': inBoth('device_groups', 'name'),
  'These scripts get a suffix, because the surviving organisation has the same': inBoth('scripts', 'name'),
  'These capture policies end for the whole organisation; assign them to its sites': `
    SELECT p.name FROM configuration_policy_assignments a JOIN configuration_policies p ON p.id = a.policy_id
     WHERE a.org_id = $1 AND a.level = 'organization' ORDER BY 1`,
};

/** While rows move, rows of both organisations may refer to the sites and groups of the merged one. */
export async function placeInSurvivor(tx: Tx, sourceId: string, targetId: string): Promise<void> {
  await tx.query(PLACE_SITES, [sourceId, targetId]);
  await tx.query(PLACE_GROUPS, [sourceId, targetId]);
}

export async function publishSites(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const site of await tx.query<Parameters<typeof publishSite>[1]>(SITES, [ids])) publishSite(tx, site);
}

export async function publishGroups(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const group of await tx.query<PublishedGroup>(GROUPS, [ids])) publishGroup(tx, group);
}

interface MovedDevice extends PublishedDevice {
  readonly movedBy: EventActor;
}

/** Names who started the merge as the mover of the devices, whom `pam` counts as an editor (PAM-304). */
export async function publishDevices(tx: Tx, ids: readonly string[], runId: string): Promise<void> {
  for (const { movedBy, ...device } of await tx.query<MovedDevice>(DEVICES, [ids, runId]))
    publishDevice(tx, device, { by: movedBy });
}
