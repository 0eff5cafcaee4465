import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { type Logger, LOGGER } from '@gatehouse/service';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { VerifyChain } from './verify-chain.ts';
import { PublishedCheckpoints } from '../checkpoints/published-checkpoints.ts';

const SYSTEM = asService('audit');
const RETRY_MS = 5_000;

/** Compares every chain with its newest published checkpoint when the service starts, without delaying the start. */
@Injectable()
export class CompareAtStart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopped = new AbortController();

  constructor(
    private readonly bus: EventBus,
    private readonly work: UnitOfWork,
    private readonly published: PublishedCheckpoints,
    private readonly verification: VerifyChain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    void this.untilDone();
  }

  beforeApplicationShutdown(): void {
    this.stopped.abort();
  }

  private async untilDone(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      try {
        await this.bus.whenReady();
        return await this.compareAll();
      } catch (error) {
        if (this.stopped.signal.aborted) return;
        this.log.warn(
          { err: error },
          'the audit log could not be compared with its published checkpoints; trying again',
        );
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  private async compareAll(): Promise<void> {
    const { signal } = this.stopped;
    for (const chain of await this.published.names()) {
      signal.throwIfAborted();
      const published = await this.published.newest(chain);
      if (!published || (await this.work.backgroundRead(SYSTEM, (reader) => this.published.isKept(reader, published))))
        continue;
      const { firstBadSequence } = await this.verification.ofChain(SYSTEM, chain, signal);
      this.log.error({ chain, firstBadSequence }, 'a chain of the audit log does not verify');
    }
  }
}
