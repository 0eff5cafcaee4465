import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { UpkeepRepository } from '@gatehouse/pam-store';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const EVERY_MS = 15 * 60 * 1000;
const SELF = asService('pam-ingest');

/** The tables that reports fill: months made before they begin, answers of repeated reports and old months forgotten. */
@Module({ providers: [UpkeepRepository] })
export class UpkeepModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly periodic: Periodic;

  constructor(private readonly work: UnitOfWork, private readonly tables: UpkeepRepository, private readonly config: PamIngestConfig, @Inject(LOGGER) log: Logger) {
    this.periodic = new Periodic('upkeep of elevation requests', EVERY_MS, () => this.run(), log);
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.periodic.stop();
  }

  async run(): Promise<void> {
    await this.work.run(SELF, (tx) => this.tables.makeMonthsAhead(tx));
    await this.work.run(SELF, (tx) => this.tables.forgetReceipts(tx));
    await this.work.run(SELF, (tx) => this.tables.dropMonths(tx, this.config.pamHistoryMonths));
  }
}
