import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { DeviceQuery, DeviceResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DeviceCountsRepository } from './counts/device-counts.repository.ts';
import { DevicesRepository } from './devices.repository.ts';

@Injectable()
export class ListDevices {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
  ) {}

  execute(caller: UserCaller, query: DeviceQuery): Promise<Page<DeviceResponse>> {
    const totalOf = this.deviceCountsRepository.totalOf(caller, query);
    return this.work.read(caller, (reader) => this.devicesRepository.list(reader, caller, query, totalOf));
  }
}
