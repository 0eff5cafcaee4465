import type { EventEnvelope } from '@gatehouse/contracts-core';
import { ApprovalPushRequested, type ElevationFact, ElevationRequested } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { ConsumesTogether } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { ApprovalsRepository } from './approvals.repository.ts';

/** Anybody may read a lock screen. */
const NEUTRAL_TITLE = 'An approval is waiting for you';

/** Pending requests ask every technician who may decide them; the notifier carries the questions to their phones. */
@Injectable()
export class AskTechnicians {
  constructor(private readonly approvals: ApprovalsRepository) {}

  @ConsumesTogether(ElevationRequested)
  async ask(tx: Tx, events: EventEnvelope<ElevationFact>[]): Promise<void> {
    const pending = new Map(events.filter(({ data }) => data.status === 'pending').map(({ data }) => [data.elevationRequestId, data]));
    if (pending.size === 0) return;
    for (const { elevationRequestId, expiresAt, ...approval } of await this.approvals.write(tx, [...pending.keys()])) {
      const siteId = pending.get(elevationRequestId)?.siteId ?? null;
      tx.emit(ApprovalPushRequested, { ...approval, siteId, title: NEUTRAL_TITLE, expiresAt: expiresAt.toISOString() }, { aggregateId: approval.approvalId });
    }
  }
}
