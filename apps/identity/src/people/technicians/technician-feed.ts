import { TechnicianChanged, type TechnicianState } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { TechniciansRepository } from './technicians.repository.ts';

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
      { userId, name, email, active: false, reaches: [], version: version + 1 },
      { aggregateId: userId },
    );
  }
}
