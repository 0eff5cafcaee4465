import { ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse, UpdateDeviceDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { deviceView } from './device.view.ts';
import { DevicesRepository } from './devices.repository.ts';
import { recordChange } from './record-change.ts';

@Injectable()
export class UpdateDevice {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
  ) {}

  /** @throws ProblemError no_updates_provided, device_not_found, device_inactive, organization_frozen */
  async execute(caller: UserCaller, id: string, patch: UpdateDeviceDto): Promise<DeviceResponse> {
    const updates = requireUpdates(patch);
    const device = await this.work.once(caller, caller.idempotency, async (tx) => {
      const { status } = await this.devicesRepository.lockInService(tx, caller, id);
      if (status === 'awaiting_confirmation' && updates.status)
        throw new ProblemError('conflict', 'This device waits until its return is confirmed or refused.');
      const updated = await this.devicesRepository.update(tx, caller, id, updates);
      recordChange(tx, 'device.update', updated, { changedFields: Object.keys(updates) });
      return updated;
    });
    return deviceView(device);
  }
}
