import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { ElevationCountsRepository, UpkeepRepository } from '@gatehouse/pam-store';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const TABLES_EVERY_MS = 15 * 60 * 1000;
const COUNTS_EVERY_MS = 10 * 1000;
const SELF = asService('pam-ingest');

/**
 * Maintains the tables that reports fill: creates monthly partitions in advance, deletes old ones and expired receipts,
 * and sums up the counts.
 */
@Injectable()
export class MaintainRequestTables implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tasks: readonly Periodic[];

  constructor(
    private readonly work: UnitOfWork,
    private readonly upkeep: UpkeepRepository,
    private readonly elevationCounts: ElevationCountsRepository,
    private readonly config: PamIngestConfig,
    @Inject(LOGGER) log: Logger,
  ) {
    this.tasks = [
      new Periodic('upkeep of elevation requests', TABLES_EVERY_MS, () => this.maintainTables(), log),
      new Periodic('totals of elevation requests', COUNTS_EVERY_MS, () => this.sumUp(), log),
    ];
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private async maintainTables(): Promise<void> {
    await this.work.background(SELF, (tx) => this.upkeep.forgetReceipts(tx));
    await this.work.background(SELF, (tx) => this.upkeep.makeMonthsAhead(tx));
    await this.work.background(SELF, (tx) => this.upkeep.dropMonths(tx, this.config.pamHistoryMonths));
  }

  private async sumUp(): Promise<void> {
    await this.work.background(SELF, (tx) => this.elevationCounts.sumUp(tx));
  }
}
