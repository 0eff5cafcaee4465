import type { ServiceCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { OutboxRelay } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';

/**
 * publishes events again that the broker has lost, as far as the outbox still holds them (72 h). Consumers that
 * have already applied an event ignore it.
 */
@Injectable()
export class RepublishEvents {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relay: OutboxRelay,
  ) {}

  async execute(caller: ServiceCaller, since: Date): Promise<{ events: number }> {
    const until = new Date();
    let events = 0;
    for (let batch = -1; batch !== 0; events += batch) batch = await this.batch(caller, since, until);
    this.relay.poke();
    return { events };
  }

  private batch(caller: ServiceCaller, since: Date, until: Date): Promise<number> {
    return this.work.background(caller, async (tx) => {
      const events = await this.relay.republish(tx, since, until);
      if (events > 0)
        tx.audit({
          action: 'outbox.republish',
          resource: { type: 'outbox', id: null },
          partnerId: null,
          orgId: null,
          details: { events, since: since.toISOString() },
        });
      return events;
    });
  }
}
