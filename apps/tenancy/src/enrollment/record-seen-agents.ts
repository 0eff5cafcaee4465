import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice } from '../scope/publish-state.ts';
import { DevicePresenceRepository } from './device-presence.repository.ts';

/** Records when agents were seen. It is not audited, because no user makes the change. */
@Injectable()
export class RecordSeenAgents {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicePresenceRepository: DevicePresenceRepository,
  ) {}

  record(deviceIds: readonly string[]): Promise<void> {
    return this.work.background(asService('tenancy'), async (tx) => {
      await this.devicePresenceRepository.record(tx, deviceIds);
      for (const device of await this.devicePresenceRepository.setOnline(tx, deviceIds)) publishDevice(tx, device);
    });
  }
}
