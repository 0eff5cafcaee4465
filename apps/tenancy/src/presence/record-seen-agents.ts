import { asService } from '@gatehouse/contracts-core';
import { AGENTS_SEEN, type AgentsSeen } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { publishDevice } from '../rows/publish-state.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { DevicePresenceRepository } from './device-presence.repository.ts';

/**
 * Records agents as seen when they read their configuration here, or when `pam-ingest` reports them in batches. It is
 * not audited, because no user makes the change.
 */
@Injectable()
export class RecordSeenAgents implements OnApplicationBootstrap {
  private seen = new Set<string>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly presence: DevicePresenceRepository,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<AgentsSeen>(AGENTS_SEEN, async ({ deviceIds }) => {
      await this.take(deviceIds);
      return {};
    });
  }

  note(deviceId: string): void {
    this.seen.add(deviceId);
  }

  @Every(({ presenceEveryMs }: TenancyConfig) => presenceEveryMs, 'agents seen')
  async execute(): Promise<void> {
    const { seen } = this;
    if (seen.size === 0) return;
    this.seen = new Set();
    await this.take([...seen]);
  }

  private take(deviceIds: readonly string[]): Promise<void> {
    return this.work.background(asService('tenancy'), async (tx) => {
      await this.presence.note(tx, deviceIds);
      for (const device of await this.presence.bringBack(tx, deviceIds)) publishDevice(tx, device);
    });
  }
}
