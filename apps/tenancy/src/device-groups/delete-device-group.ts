import { requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../devices/devices.repository.ts';
import { publishDevice, publishGroup } from '../rows/publish-state.ts';
import { DeviceGroupsRepository } from './device-groups.repository.ts';
import { GroupMembersRepository } from './members/group-members.repository.ts';

/** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
@Injectable()
export class DeleteDeviceGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
    private readonly groupMembersRepository: GroupMembersRepository,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /** @throws ProblemError device_group_not_found, organization_frozen, site_access_denied */
  async execute(caller: UserCaller, id: string): Promise<void> {
    requireWholeOrganization(caller);
    await this.work.run(caller, async (tx) => {
      const { partnerId, orgId, name } = await this.deviceGroupsRepository.getWritable(tx, caller, id);
      const members = await this.groupMembersRepository.list(tx, id);
      publishGroup(tx, await this.deviceGroupsRepository.delete(tx, id), true);
      for (const device of await this.devicesRepository.touch(tx, members)) publishDevice(tx, device);
      tx.audit({ action: 'device_group.delete', partnerId, orgId, resource: { type: 'device_group', id, name } });
    });
  }
}
