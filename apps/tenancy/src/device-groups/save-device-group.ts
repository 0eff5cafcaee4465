import { partUpdates, requireSame, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateDeviceGroupDto, DeviceGroupResponse, UpdateDeviceGroupDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import {
  publishDevice,
  publishGroup,
  type PublishedDevice,
  GROUP_STATE,
  type PublishedGroup,
  DEVICE_STATE,
} from '../rows/publish-state.ts';
import { assignments } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { deviceGroupNotFound, deviceGroupView, findGroup, nameTaken, requireGroup } from './device-group.view.ts';

const INSERT = 'INSERT INTO device_groups (id, partner_id, org_id, name, description) VALUES ($1, $2, $3, $4, $5)';
const STATE = `SELECT ${GROUP_STATE} FROM device_groups WHERE id = $1`;
// The deletion is published as a state with a version of its own, newer than the last.
const DELETE = 'DELETE FROM device_groups WHERE id = $1 RETURNING id, partner_id, org_id, name, version + 1 AS version';
const MEMBERS = 'SELECT device_id FROM device_group_members WHERE group_id = $1';
/** Joining or leaving a group makes a new version of the device, although its own row does not refer to groups. */
export const TOUCH_DEVICES = `UPDATE devices d SET last_seen_at = last_seen_at WHERE d.id = ANY ($1::uuid[]) RETURNING ${DEVICE_STATE}`;

/** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
@Injectable()
export class SaveDeviceGroup {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError organization_not_found, organization_frozen, site_access_denied, name_taken */
  create(caller: UserCaller, { orgId, name, description }: CreateDeviceGroupDto): Promise<DeviceGroupResponse> {
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      const id = newId();
      await tx.query(INSERT, [id, partnerId, orgId, name, description]).catch(onConstraint(nameTaken));
      return this.recorded(tx, caller, { id, action: 'device_group.create' });
    });
  }

  /**
   * @throws ProblemError no_updates_provided, device_group_not_found, organization_frozen, site_access_denied, name_taken
   */
  update(caller: UserCaller, id: string, patch: UpdateDeviceGroupDto): Promise<DeviceGroupResponse> {
    const { updates, named } = partUpdates(patch, ['orgId']);
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await requireGroup(tx, caller, id));
      const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'org_id' }).add('id = ?', id);
      const set = assignments(updates, conditions);
      await tx
        .query(`UPDATE device_groups SET ${set} ${conditions.where}`, conditions.parameters)
        .catch(onConstraint(nameTaken));
      return this.recorded(tx, caller, {
        id,
        action: 'device_group.update',
        details: { changedFields: Object.keys(updates) },
      });
    });
  }

  /** @throws ProblemError device_group_not_found, organization_frozen, site_access_denied */
  async delete(caller: UserCaller, id: string): Promise<void> {
    requireWholeOrganization(caller);
    await this.work.run(caller, async (tx) => {
      const { partnerId, orgId, name } = await requireGroup(tx, caller, id);
      const members = await tx.query<{ deviceId: string }>(MEMBERS, [id]);
      const gone = await tx.one<PublishedGroup>(DELETE, [id]);
      if (!gone) throw deviceGroupNotFound();
      publishGroup(tx, gone, true);
      for (const device of await tx.query<PublishedDevice>(TOUCH_DEVICES, [members.map(({ deviceId }) => deviceId)]))
        publishDevice(tx, device);
      tx.audit({ action: 'device_group.delete', partnerId, orgId, resource: { type: 'device_group', id, name } });
    });
  }

  private async recorded(
    tx: Tx,
    caller: UserCaller,
    { id, action, details }: { id: string; action: 'device_group.create' | 'device_group.update'; details?: object },
  ): Promise<DeviceGroupResponse> {
    const group = await findGroup(tx, caller, id);
    const state = await tx.one<PublishedGroup>(STATE, [id]);
    if (state) publishGroup(tx, state);
    tx.audit({
      action,
      partnerId: group.partnerId,
      orgId: group.orgId,
      resource: { type: 'device_group', id, name: group.name },
      details: { ...details },
    });
    return deviceGroupView(group);
  }
}
