import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { readableBelow, requireWritable } from '../scope/organizations-in-reach.repository.ts';

/** Statements alias the group table as `g`. A site-confined caller counts only devices at the sites in reach. */
export const groupColumns = (sitesPlaceholder: string | null): string =>
  `g.id, g.org_id, g.name, g.description, (SELECT count(*) FROM device_group_members m JOIN devices d ON d.id = m.device_id WHERE m.group_id = g.id${sitesPlaceholder ? ` AND d.site_id = ANY (${sitesPlaceholder}::uuid[])` : ''}) AS device_count, g.created_at, g.updated_at`;

export interface DeviceGroupRow extends DeviceGroupResponse {
  readonly partnerId: string;
}

export const deviceGroupNotFound = (): ProblemError =>
  new ProblemError('device_group_not_found', 'Device group not found.');
export const nameTaken = {
  device_group_name_unique: () => new ProblemError('name_taken', 'Another group of this organization has this name.'),
};
export const deviceGroupView = ({ partnerId: _, ...group }: DeviceGroupRow): DeviceGroupResponse => group;

/** @throws ProblemError device_group_not_found */
export async function findGroup(reader: Reader, caller: UserCaller, id: string): Promise<DeviceGroupRow> {
  const conditions = scoped(caller.scope, { partner: 'g.partner_id', org: 'g.org_id' })
    .add('g.id = ?', id)
    .raw(readableBelow(caller, 'g.org_id'));
  const { sites } = caller.scope;
  const columns = groupColumns(sites === 'all' ? null : conditions.bind([...sites]));
  const group = await reader.one<DeviceGroupRow>(
    `SELECT ${columns}, g.partner_id FROM device_groups g ${conditions.where}`,
    conditions.parameters,
  );
  if (!group) throw deviceGroupNotFound();
  return group;
}

/** @throws ProblemError device_group_not_found, organization_frozen */
export async function requireGroup(tx: Tx, caller: UserCaller, id: string): Promise<DeviceGroupRow> {
  const group = await findGroup(tx, caller, id);
  await requireWritable(tx, caller, group.orgId);
  return group;
}
