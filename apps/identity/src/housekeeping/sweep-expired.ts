import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { EXPIRING_ROWS, HousekeepingRepository } from './housekeeping.repository.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Deletes expired rows. Correctness does not depend on it: every read checks the expiry itself. */
@Injectable()
export class SweepExpired {
  constructor(
    private readonly work: UnitOfWork,
    private readonly housekeepingRepository: HousekeepingRepository,
  ) {}

  @Every(EVERY_MS, 'expired sign-in state')
  async round(): Promise<void> {
    for (const rows of EXPIRING_ROWS)
      await this.work.background(asService('identity'), (tx) => this.housekeepingRepository.deleteExpired(tx, rows));
  }
}
