import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { publishDevice } from '../scope/publish-state.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { DevicePresenceRepository } from './device-presence.repository.ts';

const MS = 1000;

/** Sets devices offline whose agents have been silent for too long. Several replicas may run this concurrently. */
@Injectable()
export class SetSilentDevicesOffline {
  private receivingSince: number | null = null;

  constructor(
    private readonly work: UnitOfWork,
    private readonly devicePresenceRepository: DevicePresenceRepository,
    private readonly bus: EventBus,
    private readonly config: TenancyConfig,
  ) {}

  @Every(({ presenceEveryMs }: TenancyConfig) => presenceEveryMs, 'silent devices')
  async set(): Promise<void> {
    if (!this.couldReceive()) return;
    let changed: number;
    do changed = await this.setBatchOffline();
    while (changed > 0);
  }

  private setBatchOffline(): Promise<number> {
    return this.work.background(asService('tenancy'), async (tx) => {
      const silent = await this.devicePresenceRepository.setSilentOffline(tx, this.config.deviceOfflineAfterSeconds);
      for (const device of silent) publishDevice(tx, device);
      return silent.length;
    });
  }

  /**
   * An agent's silence counts only while tenancy could have received its sign of life: after a start or a broker
   * outage, the allowed silence begins anew.
   */
  private couldReceive(): boolean {
    if (!this.bus.isConnected) this.receivingSince = null;
    else this.receivingSince ??= performance.now();
    return (
      this.receivingSince !== null &&
      performance.now() - this.receivingSince >= this.config.deviceOfflineAfterSeconds * MS
    );
  }
}
