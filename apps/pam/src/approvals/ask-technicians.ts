import type { EventEnvelope } from '@gatehouse/contracts-core';
import { ApprovalPushRequested, type ElevationFact, ElevationRequested } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { ApprovalsRepository } from './approvals.repository.ts';

/** Anybody may read a lock screen. */
const NEUTRAL_TITLE = 'An approval is waiting for you';

/** A pending request asks every technician who may decide it; the notifier carries the question to their phones. */
@Injectable()
export class AskTechnicians {
  constructor(private readonly approvals: ApprovalsRepository) {}

  @Consumes(ElevationRequested)
  async ask(tx: Tx, { data }: EventEnvelope<ElevationFact>): Promise<void> {
    if (data.status !== 'pending') return;
    const { orgId, partnerId, siteId } = data;
    for (const { approvalId, userId, expiresAt } of await this.approvals.write(tx, data.elevationRequestId)) {
      tx.emit(ApprovalPushRequested, { approvalId, userId, orgId, partnerId, siteId, title: NEUTRAL_TITLE, expiresAt: expiresAt.toISOString() }, { aggregateId: approvalId });
    }
  }
}
