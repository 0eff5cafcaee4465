import type { ServiceCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { TechnicianFeed } from './technician-feed.ts';

const BATCH = 200;
const NEXT = `SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * POST /internal/technicians/replay: publishes the state of every user again, for a service that rebuilds its read
 * model.
 */
@Injectable()
export class ReplayTechnicians {
  constructor(
    private readonly work: UnitOfWork,
    private readonly technicians: TechnicianFeed,
  ) {}

  async execute(caller: ServiceCaller): Promise<{ told: number }> {
    let told = 0;
    for (let last: string | undefined = BEFORE_ALL; last !== undefined;) {
      const ids = await this.batchAfter(caller, last);
      told += ids.length;
      last = ids.at(-1);
    }
    return { told };
  }

  private batchAfter(caller: ServiceCaller, last: string): Promise<string[]> {
    return this.work.run(caller, async (tx) => {
      const ids = (await tx.query<{ id: string }>(NEXT, [last, BATCH])).map(({ id }) => id);
      await this.technicians.publish(tx, ids);
      return ids;
    });
  }
}
