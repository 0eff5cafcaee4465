import { asService } from '@gatehouse/contracts-core';
import { ApprovalMailRequested, ElevationEscalated, MAX_ESCALATION_STEPS } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { RequestApprovals } from './request-approvals.ts';
import { factOf, requestDetailsOf, type TransitionedRequest } from '../requests/transitioned-request.ts';
import { type Escalated, ESCALATION_BATCH, EscalationsRepository } from './escalations.repository.ts';

const EVERY_MS = 2_000;
const SELF = asService('pam');
const STEPS = Array.from({ length: MAX_ESCALATION_STEPS }, (_, at) => String(at + 1));

/** Takes the steps of escalation policies for requests that stay undecided (PAM-221). */
@Injectable()
export class EscalateRequests {
  private readonly escalations: ReturnType<Metrics['counter']>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly escalationsRepository: EscalationsRepository,
    private readonly requestApprovals: RequestApprovals,
    metrics: Metrics,
  ) {
    const help = 'Steps of escalation policies that were taken';
    this.escalations = metrics.counter('gatehouse_pam_escalations_total', help, { step: STEPS });
  }

  @Every(EVERY_MS, 'escalate requests')
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const escalated = await this.work.background(SELF, (tx) => this.escalateSome(tx));
      for (const { step } of escalated) this.escalations.inc({ step: String(step) });
      if (escalated.length < ESCALATION_BATCH) return;
    }
  }

  /** After a lockdown: asks the people whom the steps taken under it would have asked (PAM-154). */
  async askAgain(tx: Tx, requestIds: readonly string[]): Promise<void> {
    for (const request of await this.escalationsRepository.askingAll(tx, requestIds)) await this.askAll(tx, request);
  }

  private async escalateSome(tx: Tx): Promise<Escalated[]> {
    const escalated = await this.escalationsRepository.escalate(tx);
    for (const request of escalated) {
      note(tx, request);
      if (request.askAllApprovers) await this.askAll(tx, request);
    }
    return escalated;
  }

  /** Asks people whom no push reaches, each by a mail with a link (PAM-222), up to their limit (PAM-356). */
  private async askAll(tx: Tx, { deviceHostname, ...request }: TransitionedRequest): Promise<void> {
    const asked = await this.requestApprovals.askAll(tx, request);
    const askedIds = asked.map(({ userId }) => userId);
    const flooded = await this.escalationsRepository.flooded(tx, askedIds);
    for (const { approvalId, userId, orgId, partnerId, expiresAt } of asked.filter((each) => !flooded.has(each.userId)))
      tx.emit(
        ApprovalMailRequested,
        { approvalId, userId, orgId, partnerId, deviceHostname, expiresAt: expiresAt.toISOString() },
        { aggregateId: approvalId },
      );
  }
}

function note(tx: Tx, request: Escalated): void {
  const { id, deviceHostname, partnerId, orgId, siteId, step, afterMinutes, askAllApprovers } = request;
  tx.emit(ElevationEscalated, { ...factOf(request, null), step }, { aggregateId: id });
  tx.audit({
    action: 'pam.elevation_request.escalate',
    resource: { type: 'pam.elevation_request', id, name: deviceHostname },
    partnerId,
    orgId,
    siteId,
    details: { step, afterMinutes, askAllApprovers, ...requestDetailsOf(request) },
  });
}
