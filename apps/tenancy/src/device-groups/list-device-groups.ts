import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupQuery, DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DeviceGroupsRepository } from './device-groups.repository.ts';

@Injectable()
export class ListDeviceGroups {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceGroupsRepository: DeviceGroupsRepository,
  ) {}

  execute(caller: UserCaller, query: DeviceGroupQuery): Promise<Page<DeviceGroupResponse>> {
    return this.work.read(caller, (reader) => this.deviceGroupsRepository.list(reader, caller, query));
  }
}
