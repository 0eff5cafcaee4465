import { AGENTS_SEEN, type AgentsSeen } from '@gatehouse/contracts-tenancy';
import { EventBus } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { TenancyConfig } from '../tenancy.config.ts';
import { AgentTokens } from './agent-tokens.service.ts';
import { RecordSeenAgents } from './record-seen-agents.ts';

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
    this.bus.reply<AgentsSeen>(AGENTS_SEEN, async ({ deviceIds, usedTokens = [], replacedTokens = [] }) => {
      for (const tokenHash of usedTokens) await this.agentTokens.endPrevious(tokenHash);
      for (const tokenHash of replacedTokens) await this.agentTokens.reportReuse(tokenHash);
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
