import type { EventEnvelope } from '@gatehouse/contracts-core';
import {
  type ApprovalPush,
  ApprovalPushRequested,
  type RequestOutcome,
  RequestOutcomeNotified,
  type ToldOutcome,
} from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { ConsumesTogether } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository, type QueuedPush } from './deliveries.repository.ts';

/** Queues a delivery for each subscription of the technicians for whom an approval waits. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  @ConsumesTogether(ApprovalPushRequested)
  async queue(tx: Tx, events: EventEnvelope<ApprovalPush>[]): Promise<void> {
    const queued = events.map(({ data }) => data);
    await this.deliveries.queue(tx, queued);
  }
}

/** The titles carry no details, because they appear on lock screens. */
const TITLES: Readonly<Record<ToldOutcome, string>> = {
  approved: 'Your request was approved',
  denied: 'Your request was denied',
  expired: 'Your request has expired',
  revoked: 'Your request was revoked',
};
const DAY_MS = 86_400_000;

/** Queues a delivery for each subscription of the people whose requests ended (PAM-223). */
@Injectable()
export class QueueOutcomes {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  @ConsumesTogether(RequestOutcomeNotified)
  async queue(tx: Tx, events: EventEnvelope<RequestOutcome>[]): Promise<void> {
    await this.deliveries.queue(tx, events.map(pushOf));
  }
}

const pushOf = ({ id, occurredAt, data }: EventEnvelope<RequestOutcome>): QueuedPush => ({
  approvalId: id,
  elevationRequestId: data.elevationRequestId,
  userId: data.userId,
  partnerId: data.partnerId,
  orgId: data.orgId,
  title: TITLES[data.status],
  expiresAt: new Date(Date.parse(occurredAt) + DAY_MS).toISOString(),
});
