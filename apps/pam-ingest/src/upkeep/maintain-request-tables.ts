import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { ElevationCountsRepository, IgnoredCountsRepository, UpkeepRepository } from '@gatehouse/pam-store';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { PamIngestConfig } from '../pam-ingest.config.ts';

const TABLES_EVERY_MS = 15 * 60 * 1000;
const COUNTS_EVERY_MS = 10 * 1000;
const SELF = asService('pam-ingest');

/**
 * Maintains the tables that reports fill: creates monthly partitions in advance, deletes old ones and expired receipts,
 * and sums up the counts.
 */
@Injectable()
export class MaintainRequestTables {
  constructor(
    private readonly work: UnitOfWork,
    private readonly upkeep: UpkeepRepository,
    private readonly elevationCounts: ElevationCountsRepository,
    private readonly ignoredCounts: IgnoredCountsRepository,
    private readonly config: PamIngestConfig,
  ) {}

  @Every(TABLES_EVERY_MS, 'upkeep of elevation requests')
  async maintainTables(): Promise<void> {
    await this.work.background(SELF, (tx) => this.upkeep.forgetReceipts(tx));
    await this.work.background(SELF, (tx) => this.upkeep.makeMonthsAhead(tx));
    await this.work.background(SELF, (tx) => this.upkeep.dropMonths(tx, this.config.pamHistoryMonths));
    await this.work.background(SELF, (tx) => this.upkeep.forgetCommands(tx, this.config.pamHistoryMonths + 1));
    await this.work.background(SELF, (tx) => this.upkeep.forgetRulebooks(tx, this.config.pamHistoryMonths + 1));
    await this.work.background(SELF, (tx) => this.ignoredCounts.forget(tx, this.config.pamHistoryMonths));
    await this.work.background(SELF, (tx) => this.upkeep.forgetRuleUse(tx, this.config.pamHistoryMonths + 1));
  }

  @Every(COUNTS_EVERY_MS, 'totals of elevation requests')
  async sumUp(): Promise<void> {
    await this.work.background(SELF, (tx) => this.elevationCounts.sumUp(tx));
    await this.work.background(SELF, (tx) => this.ignoredCounts.sumUp(tx));
  }
}
