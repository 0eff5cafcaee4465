import { asService } from '@gatehouse/contracts-core';
import { AGENTS_SEEN, type AgentsSeen } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { publishDevice } from '../scope/publish-state.ts';
import type { TenancyConfig } from '../tenancy.config.ts';
import { AgentTokens } from './agents.service.ts';
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

/** Collects the agents that called tenancy, and receives batches of those that called `pam-ingest`. */
@Injectable()
export class SeenAgents implements OnApplicationBootstrap {
  private seen = new Set<string>();

  constructor(
    private readonly recordSeenAgents: RecordSeenAgents,
    private readonly agentTokens: AgentTokens,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<AgentsSeen>(AGENTS_SEEN, async ({ deviceIds, usedTokens = [], replacedTokens = [], origin }) => {
      for (const tokenHash of usedTokens) await this.agentTokens.endPrevious(tokenHash);
      for (const tokenHash of replacedTokens) await this.agentTokens.reportReuse(tokenHash, origin);
      if (deviceIds.length > 0) await this.recordSeenAgents.record(deviceIds);
      return {};
    });
  }

  /** Records the agent with the next batch. */
  add(deviceId: string): void {
    this.seen.add(deviceId);
  }

  @Every(({ presenceEveryMs }: TenancyConfig) => presenceEveryMs, 'agents seen')
  async flush(): Promise<void> {
    const { seen } = this;
    if (seen.size === 0) return;
    this.seen = new Set();
    await this.recordSeenAgents.record([...seen]);
  }
}
