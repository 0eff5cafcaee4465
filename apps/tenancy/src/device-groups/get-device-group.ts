import type { UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { deviceGroupView } from './device-group.view.ts';
import { DeviceGroupsRepository } from './device-groups.repository.ts';

@Injectable()
export class GetDeviceGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
  ) {}

  /** @throws ProblemError device_group_not_found */
  execute(caller: UserCaller, id: string): Promise<DeviceGroupResponse> {
    return this.work.read(caller, async (reader) =>
      deviceGroupView(await this.deviceGroupsRepository.get(reader, caller, id)),
    );
  }
}
