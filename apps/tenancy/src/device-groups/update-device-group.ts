import { partUpdates, requireSame, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse, UpdateDeviceGroupDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../rows/assignments.ts';
import { deviceGroupView } from './device-group.view.ts';
import { DeviceGroupsRepository } from './device-groups.repository.ts';
import { recordGroupChange } from './record-group-change.ts';

/** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
@Injectable()
export class UpdateDeviceGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, device_group_not_found, organization_frozen, site_access_denied,
   * name_taken
   */
  execute(caller: UserCaller, id: string, patch: UpdateDeviceGroupDto): Promise<DeviceGroupResponse> {
    const { updates, named } = partUpdates(patch, ['orgId']);
    const changedFields = Object.keys(updates);
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.deviceGroupsRepository.getWritable(tx, caller, id));
      await this.deviceGroupsRepository.update(tx, caller, id, updates);
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      const state = returned(await this.deviceGroupsRepository.state(tx, id));
      recordGroupChange(tx, 'device_group.update', state, { changedFields });
      return deviceGroupView(group);
    });
  }
}
