import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse, GroupDevicesDto } from '@gatehouse/contracts-tenancy';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice, type PublishedDevice } from '../../rows/publish-state.ts';
import { devicesInReach } from '../../devices/device.view.ts';
import {
  deviceGroupNotFound,
  deviceGroupView,
  type DeviceGroupRow,
  findGroup,
  requireGroup,
} from '../device-group.view.ts';
import { TOUCH_DEVICES } from '../save-device-group.ts';

const ADD =
  'INSERT INTO device_group_members (group_id, device_id, org_id, partner_id) SELECT $1, unnest($2::uuid[]), $3, $4 ON CONFLICT DO NOTHING RETURNING device_id';
const REMOVE =
  'DELETE FROM device_group_members WHERE group_id = $1 AND device_id = ANY ($2::uuid[]) RETURNING device_id';
/**
 * The number of groups that a device's record lists; a device's state is one message, whose size the broker limits.
 */
const MAX_GROUPS = 1_000;
const OVERFULL = `SELECT device_id FROM device_group_members WHERE device_id = ANY ($1::uuid[]) GROUP BY device_id HAVING count(*) > ${MAX_GROUPS} LIMIT 1`;

const justGone = onConstraint({ member_group_in_organization: deviceGroupNotFound });

type Changed = { deviceId: string }[];

@Injectable()
export class ChangeMembers {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError validation_failed, device_group_not_found, device_not_found, organization_frozen */
  add(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.change(caller, id, {
      deviceIds,
      action: 'device_group.devices.add',
      apply: (tx, group) => this.join(tx, group, deviceIds),
    });
  }

  /** @throws ProblemError device_group_not_found, device_not_found, organization_frozen */
  remove(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.change(caller, id, {
      deviceIds,
      action: 'device_group.devices.remove',
      apply: (tx) => tx.query(REMOVE, [id, deviceIds]),
    });
  }

  private change(
    caller: UserCaller,
    id: string,
    { deviceIds, action, apply }: MemberChange,
  ): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const group = await requireGroup(tx, caller, id);
      await this.requireDevices(tx, caller, group, deviceIds);
      const changed = (await apply(tx, group)).map(({ deviceId }) => deviceId);
      for (const device of await tx.query<PublishedDevice>(TOUCH_DEVICES, [changed])) publishDevice(tx, device);
      tx.audit({
        action,
        partnerId: group.partnerId,
        orgId: group.orgId,
        resource: { type: 'device_group', id, name: group.name },
        details: { deviceIds: changed },
      });
      return deviceGroupView(await findGroup(tx, caller, id));
    });
  }

  /** Locks the devices' rows, so that no concurrent request counts their groups. */
  private async join(tx: Tx, { id, orgId, partnerId }: DeviceGroupRow, deviceIds: readonly string[]): Promise<Changed> {
    const joined = await tx.query<Changed[number]>(ADD, [id, deviceIds, orgId, partnerId]).catch(justGone);
    const overfull = await tx.one<Changed[number]>(OVERFULL, [joined.map(({ deviceId }) => deviceId)]);
    if (overfull) throw invalid('deviceIds', `${overfull.deviceId} is in ${MAX_GROUPS} groups, and can be in no more`);
    return joined;
  }

  /**
   * Requires all devices to be in the group's organisation and in the caller's reach; otherwise the request fails.
   */
  private async requireDevices(
    tx: Tx,
    caller: UserCaller,
    { orgId }: DeviceGroupRow,
    deviceIds: readonly string[],
  ): Promise<void> {
    const { where, parameters } = devicesInReach(caller)
      .add('d.org_id = ?', orgId)
      .add('d.id = ANY (?::uuid[])', deviceIds);
    const found = await tx.query<{ id: string }>(
      `SELECT d.id FROM devices d ${where} ORDER BY d.id FOR UPDATE`,
      parameters,
    );
    const known = new Set(found.map((device) => device.id));
    const missing = deviceIds.filter((deviceId) => !known.has(deviceId));
    if (missing.length > 0)
      throw new ProblemError('device_not_found', 'Some devices are not in the organization of the group.', {
        deviceIds: missing,
      });
  }
}

interface MemberChange {
  readonly deviceIds: readonly string[];
  readonly action: 'device_group.devices.add' | 'device_group.devices.remove';
  readonly apply: (tx: Tx, group: DeviceGroupRow) => Promise<Changed>;
}
