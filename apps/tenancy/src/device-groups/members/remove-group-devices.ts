import type { UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse, GroupDevicesDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../../devices/devices.repository.ts';
import { deviceGroupView } from '../device-group.view.ts';
import { DeviceGroupsRepository } from '../device-groups.repository.ts';
import { GroupMembersRepository } from './group-members.repository.ts';
import { lockMembers, recordMemberChange, requireLevelRights } from './member-change.ts';

@Injectable()
export class RemoveGroupDevices {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
    private readonly groupMembersRepository: GroupMembersRepository,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /** @throws ProblemError device_group_not_found, device_not_found, organization_frozen, site_access_denied */
  execute(caller: UserCaller, id: string, { deviceIds }: GroupDevicesDto): Promise<DeviceGroupResponse> {
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
