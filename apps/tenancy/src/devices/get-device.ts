import type { UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from './devices.repository.ts';

@Injectable()
export class GetDevice {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /** @throws ProblemError device_not_found */
  execute(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.read(caller, (reader) => this.devicesRepository.get(reader, caller, id));
  }
}
