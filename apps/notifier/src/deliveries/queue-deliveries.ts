import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type ApprovalPush, ApprovalPushRequested } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { ConsumesTogether } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository } from './deliveries.repository.ts';

/** Queues a delivery for each subscription of the technicians for whom an approval waits. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  @ConsumesTogether(ApprovalPushRequested)
  async queue(tx: Tx, events: EventEnvelope<ApprovalPush>[]): Promise<void> {
    await this.deliveries.queue(
      tx,
      events.map(({ data }) => data),
    );
  }
}
