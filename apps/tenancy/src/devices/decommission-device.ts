import type { UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requestUninstall } from '../rows/publish-state.ts';
import { deviceView } from './device.view.ts';
import { DevicesRepository } from './devices.repository.ts';
import { recordChange } from './record-change.ts';

@Injectable()
export class DecommissionDevice {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /**
   * Takes the device out of service for good: its agent is recognised but rejected, and it counts under no cap.
   * @throws ProblemError device_not_found, device_inactive, organization_frozen
   */
  execute(caller: UserCaller, id: string): Promise<DeviceResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.devicesRepository.lockInService(tx, caller, id);
      const device = await this.devicesRepository.decommission(tx, caller, id);
      recordChange(tx, 'device.decommission', device);
      requestUninstall(tx, device);
      return deviceView(device);
    });
  }
}
