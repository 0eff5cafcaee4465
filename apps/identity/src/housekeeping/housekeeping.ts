import { asService } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { type DeletedUser, EXPIRING_ROWS, HousekeepingRepository } from './housekeeping.repository.ts';
import { TechnicianFeed } from '../sessions/technicians/technicians.service.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Deletes the accounts of users who have no membership left, for example after a purge of their last organisation. */
@Injectable()
export class DeleteUnattachedUsers {
  constructor(
    private readonly work: UnitOfWork,
    private readonly housekeepingRepository: HousekeepingRepository,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  @Every(EVERY_MS, 'users without a membership')
  async round(): Promise<void> {
    await this.work.background(asService('identity'), async (tx) => {
      for (const user of await this.housekeepingRepository.deleteUnattachedUsers(tx)) this.publishDeletion(tx, user);
    });
  }

  private publishDeletion(tx: Tx, user: DeletedUser): void {
    this.technicianFeed.withdraw(tx, user);
    tx.audit({
      action: 'user.delete',
      resource: { type: 'user', id: user.userId, name: user.email },
      details: { reason: 'belongs_nowhere', changes: { status: { before: 'unattached', after: null } } },
    });
  }
}

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
