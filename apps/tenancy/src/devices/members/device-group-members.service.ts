import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse, GroupDevicesDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../devices.repository.ts';
import { deviceGroupView } from '../device-groups.service.ts';
import { DeviceGroupsRepository } from '../device-groups.repository.ts';
import { GroupMembersRepository } from './group-members.repository.ts';
import { lockMembers, recordMemberChange, requireLevelRights } from './member-change.ts';

/** The number of groups of a device; a device's state is one message, whose size the broker limits. */
const MAX_GROUPS = 1_000;

@Injectable()
export class DeviceGroupMembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
    private readonly groupMembersRepository: GroupMembersRepository,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  addGroupDevices(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireLevelRights(caller, group);
      // The lock serialises the requests that count the groups of a device.
      await lockMembers(tx, caller, this.devicesRepository, { orgId: group.orgId, deviceIds });
      const added = await this.groupMembersRepository.add(tx, group, deviceIds);
      const inTooMany = await this.groupMembersRepository.findInTooMany(tx, added, MAX_GROUPS);
      if (inTooMany) throw invalid('deviceIds', `${inTooMany} is in ${MAX_GROUPS} groups, and can be in no more`);
      const devices = await this.devicesRepository.touch(tx, added);
      recordMemberChange(tx, 'device_group.devices.add', group, { deviceIds: added, devices });
      return deviceGroupView(await this.deviceGroupsRepository.get(tx, caller, id));
    });
  }

  removeGroupDevices(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const group = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      requireLevelRights(caller, group);
      await lockMembers(tx, caller, this.devicesRepository, { orgId: group.orgId, deviceIds });
      const removed = await this.groupMembersRepository.remove(tx, id, deviceIds);
      const devices = await this.devicesRepository.touch(tx, removed);
      recordMemberChange(tx, 'device_group.devices.remove', group, { deviceIds: removed, devices });
      return deviceGroupView(await this.deviceGroupsRepository.get(tx, caller, id));
    });
  }
}
