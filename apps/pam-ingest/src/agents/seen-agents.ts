import type { Origin } from '@gatehouse/contracts-core';
import { AGENTS_SEEN, type AgentsSeen, MAX_AGENTS_SEEN } from '@gatehouse/contracts-tenancy';
import { EventBus } from '@gatehouse/messaging';
import { Every, LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const MS = 1000;
const ANSWER_WITHIN_MS = 5_000;
/** A thief's agent repeats itself. */
const REUSED = { max: 10_000, ttl: 60 * 60 * MS };

/**
 * Periodically reports to tenancy which agents sent a request. A failed report is dropped, not retried: an agent that
 * is still running will be seen again.
 */
@Injectable()
export class SeenAgents {
  private seen = new Set<string>();
  private readonly reused = new LRUCache<string, true>(REUSED);

  constructor(
    private readonly bus: EventBus,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  note(deviceId: string): void {
    this.seen.add(deviceId);
  }

  /** Tells tenancy at once that an agent used its new token, so that the one before ends (TEN-103). */
  tokenUsed(tokenHash: string): void {
    this.tell({ deviceIds: [], usedTokens: [tokenHash] });
  }

  /** Tells tenancy at once that a token was used after it was replaced. */
  tokenReused(tokenHash: string, origin: Origin): void {
    if (this.reused.has(tokenHash)) return;
    this.reused.set(tokenHash, true);
    this.tell({ deviceIds: [], replacedTokens: [tokenHash], origin });
  }

  private tell(news: AgentsSeen): void {
    void this.bus
      .request(AGENTS_SEEN, news, { timeoutMs: ANSWER_WITHIN_MS })
      .catch((error: unknown) => this.log.warn({ err: error }, 'tenancy was not told of the use of a token'));
  }

  @Every(({ agentsSeenEverySeconds }: PamIngestConfig) => agentsSeenEverySeconds * MS, 'agents seen')
  async seenAgents(): Promise<void> {
    const deviceIds = [...this.seen];
    this.seen = new Set();
    for (let at = 0; at < deviceIds.length; at += MAX_AGENTS_SEEN) {
      const batch: AgentsSeen = { deviceIds: deviceIds.slice(at, at + MAX_AGENTS_SEEN) };
      await this.bus.request(AGENTS_SEEN, batch, { timeoutMs: ANSWER_WITHIN_MS });
    }
  }
}
