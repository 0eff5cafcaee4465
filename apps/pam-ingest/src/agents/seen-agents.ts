import { AGENTS_SEEN, type AgentsSeen, MAX_AGENTS_SEEN } from '@gatehouse/contracts-tenancy';
import { EventBus } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const MS = 1000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Periodically reports to tenancy which agents sent a request. A failed report is dropped, not retried: an agent that
 * is still running will be seen again.
 */
@Injectable()
export class SeenAgents {
  private seen = new Set<string>();

  constructor(private readonly bus: EventBus) {}

  note(deviceId: string): void {
    this.seen.add(deviceId);
  }

  @Every(({ agentsSeenEverySeconds }: PamIngestConfig) => agentsSeenEverySeconds * MS, 'agents seen')
  async execute(): Promise<void> {
    const deviceIds = [...this.seen];
    this.seen = new Set();
    for (let at = 0; at < deviceIds.length; at += MAX_AGENTS_SEEN) {
      const batch: AgentsSeen = { deviceIds: deviceIds.slice(at, at + MAX_AGENTS_SEEN) };
      await this.bus.request(AGENTS_SEEN, batch, { timeoutMs: ANSWER_WITHIN_MS });
    }
  }
}
