import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { ElevationCountsRepository, UpkeepRepository } from '@gatehouse/pam-store';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const TABLES_EVERY_MS = 15 * 60 * 1000;
const COUNTS_EVERY_MS = 10 * 1000;
const SELF = asService('pam-ingest');

/**
 * Maintains the tables that reports fill: creates monthly partitions in advance, and deletes old ones and expired
 * receipts.
 */
@Module({ providers: [UpkeepRepository, ElevationCountsRepository] })
export class UpkeepModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tasks: readonly Periodic[];

  constructor(
    private readonly work: UnitOfWork,
    private readonly tables: UpkeepRepository,
    private readonly counts: ElevationCountsRepository,
    private readonly config: PamIngestConfig,
    @Inject(LOGGER) log: Logger,
  ) {
    this.tasks = [
      new Periodic('upkeep of elevation requests', TABLES_EVERY_MS, () => this.tidy(), log),
      new Periodic('totals of elevation requests', COUNTS_EVERY_MS, () => this.sumUp(), log),
    ];
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  async tidy(): Promise<void> {
    await this.work.background(SELF, (tx) => this.tables.forgetReceipts(tx));
    await this.work.background(SELF, (tx) => this.tables.makeMonthsAhead(tx));
    await this.work.background(SELF, (tx) => this.tables.dropMonths(tx, this.config.pamHistoryMonths));
  }

  private async sumUp(): Promise<void> {
    await this.work.background(SELF, (tx) => this.counts.sumUp(tx));
  }
}
