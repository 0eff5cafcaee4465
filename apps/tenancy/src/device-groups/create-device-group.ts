import { requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateDeviceGroupDto, DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { deviceGroupView } from './device-group.view.ts';
import { DeviceGroupsRepository } from './device-groups.repository.ts';
import { recordGroupChange } from './record-group-change.ts';

/** Groups belong to the whole organisation; a site-confined caller may only add and remove members. */
@Injectable()
export class CreateDeviceGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
  ) {}

  /** @throws ProblemError organization_not_found, organization_frozen, site_access_denied, name_taken */
  execute(caller: UserCaller, { orgId, name, description }: CreateDeviceGroupDto): Promise<DeviceGroupResponse> {
    requireWholeOrganization(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId } = await requireWritable(tx, caller, orgId);
      const id = await this.deviceGroupsRepository.insert(tx, { partnerId, orgId, name, description });
      const group = await this.deviceGroupsRepository.get(tx, caller, id);
      recordGroupChange(tx, 'device_group.create', returned(await this.deviceGroupsRepository.state(tx, id)), {});
      return deviceGroupView(group);
    });
  }
}
