import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type PublishBatch, STATE_IN_ORDER } from './state.repository.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class StatePublicationService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Rebuilds the read models of other services: publishes the state of every row again under its present version, in
   * transactions of a thousand rows.
   * Returns the number of published rows of each kind.
   */
  async publishAllState(caller: ServiceCaller): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const [kind, publishBatch] of Object.entries(STATE_IN_ORDER))
      counts[kind] = await this.publishAll(asService('tenancy', caller.origin), publishBatch);
    return counts;
  }

  private async publishAll(caller: ServiceCaller, publishBatch: PublishBatch): Promise<number> {
    let count = 0;
    for (let last: string | undefined = FIRST; last !== undefined;) {
      const afterId: string = last;
      const rows = await this.work.run(caller, (tx) => publishBatch(tx, afterId));
      count += rows.length;
      last = rows.at(-1)?.id;
    }
    return count;
  }
}
