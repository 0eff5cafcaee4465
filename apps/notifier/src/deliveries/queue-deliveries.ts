import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type ApprovalPush, ApprovalPushRequested } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository } from './deliveries.repository.ts';

/** An approval waits for a technician: each of the person's subscriptions gets a delivery. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  @Consumes(ApprovalPushRequested)
  async queue(tx: Tx, { data }: EventEnvelope<ApprovalPush>): Promise<void> {
    await this.deliveries.queue(tx, data);
  }
}
