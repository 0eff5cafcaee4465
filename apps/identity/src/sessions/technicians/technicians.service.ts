import type { ServiceCaller } from '@gatehouse/contracts-core';
import { TechnicianChanged, type TechnicianState } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { TechniciansRepository } from './technicians.repository.ts';

const BATCH = 200;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Publishes what a user may do now. Call it last in each unit of work that changes that. */
@Injectable()
export class TechnicianFeed {
  constructor(private readonly techniciansRepository: TechniciansRepository) {}

  async publish(tx: Tx, userIds: readonly string[]): Promise<void> {
    for (const state of await this.techniciansRepository.nextStates(tx, userIds)) {
      tx.emit(TechnicianChanged, state, { aggregateId: state.userId });
    }
  }

  /** @param version the last published version */
  withdraw(
    tx: Tx,
    { userId, name, email, version }: Pick<TechnicianState, 'userId' | 'name' | 'email' | 'version'>,
  ): void {
    tx.emit(
      TechnicianChanged,
      { userId, name, email, active: false, deleted: true, reaches: [], version: version + 1 },
      { aggregateId: userId },
    );
  }
}

@Injectable()
export class TechniciansService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly techniciansRepository: TechniciansRepository,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  /**
   * POST /internal/technicians/replay: publishes the state of every user again, for a service that rebuilds its read
   * model.
   */
  async replay(caller: ServiceCaller): Promise<{ told: number }> {
    let told = 0;
    for (let last: string | undefined = BEFORE_ALL; last !== undefined;) {
      const ids = await this.publishBatchAfter(caller, last);
      told += ids.length;
      last = ids.at(-1);
    }
    return { told };
  }

  private publishBatchAfter(caller: ServiceCaller, last: string): Promise<string[]> {
    return this.work.run(caller, async (tx) => {
      const ids = await this.techniciansRepository.userIdsAfter(tx, last, BATCH);
      await this.technicianFeed.publish(tx, ids);
      return ids;
    });
  }
}
