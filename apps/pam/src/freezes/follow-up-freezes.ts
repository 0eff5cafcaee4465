import { asService } from '@gatehouse/contracts-core';
import { ElevationRevoked, FREEZE_LEVELS } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import type { FreezeEntity } from '@gatehouse/pam-store';
import { Every } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable } from '@nestjs/common';
import { EscalateRequests } from '../approvals/escalate-requests.ts';
import { factOf, notifyRequester, type TransitionedRequest } from '../requests/transitioned-request.ts';
import { CommandQueueRepository } from '../requests/command-queue.repository.ts';
import { BATCH, type FreezeWork, FreezeWorkRepository } from './freeze-work.repository.ts';

const EVERY_MS = 250;
const SELF = asService('pam');
/** In seconds. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Ends the windows of new freezes, and asks technicians about the requests that still wait after a lockdown (PAM-153,
 * PAM-154). Each batch is a transaction; another replica goes on with the work of one that has crashed.
 */
@Injectable()
export class FollowUpFreezes {
  private readonly seconds: ReturnType<Metrics['histogram']>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly freezeWork: FreezeWorkRepository,
    private readonly commandQueue: CommandQueueRepository,
    private readonly escalateRequests: EscalateRequests,
    metrics: Metrics,
  ) {
    const help = 'Time from an emergency freeze to the end of the last window that it covers';
    this.seconds = metrics.histogram('gatehouse_pam_freeze_seconds', help, { level: FREEZE_LEVELS }, BUCKETS);
  }

  @Every(EVERY_MS, 'follow up freezes')
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const freeze = await this.work.background(SELF, (tx) => this.freezeWork.lease(tx));
      if (!freeze) return;
      await (freeze.done ? this.askAgain(freeze, stopping) : this.endWindows(freeze, stopping));
      await this.work.background(SELF, (tx) => this.freezeWork.release(tx, freeze));
    }
  }

  private async endWindows(freeze: FreezeWork, stopping: AbortSignal): Promise<void> {
    let seconds: number | null = null;
    while (!stopping.aborted && seconds === null)
      seconds = await this.work.background(SELF, (tx) => this.endSome(tx, freeze));
    if (seconds !== null) this.seconds.observe({ level: freeze.level }, seconds);
  }

  /** @returns the seconds since the freeze when no window is left, or null */
  private async endSome(tx: Tx, freeze: FreezeWork): Promise<number | null> {
    const ended = await this.freezeWork.endWindows(tx, freeze);
    const ids = ended.map(({ id }) => id);
    const withdrawn = await this.commandQueue.cancelActuations(tx, ids);
    await this.commandQueue.queueRevocations(tx, ended);
    noteEnded(tx, freeze, ended);
    const done = ended.length < BATCH;
    const seconds = await this.freezeWork.note(tx, freeze, { revoked: ended.length, withdrawn, done });
    return done ? seconds : null;
  }

  private async askAgain(freeze: FreezeWork, stopping: AbortSignal): Promise<void> {
    let { askedUpTo } = freeze;
    for (let asked = false; !asked && !stopping.aborted;) {
      const from = { ...freeze, askedUpTo };
      ({ asked, askedUpTo } = await this.work.background(SELF, (tx) => this.askSome(tx, from)));
    }
  }

  private async askSome(tx: Tx, freeze: FreezeWork): Promise<Pick<FreezeEntity, 'asked' | 'askedUpTo'>> {
    const { requestIds, ...progress } = await this.freezeWork.askAgain(tx, freeze);
    await this.escalateRequests.askAgain(tx, requestIds);
    return progress;
  }
}

/** One audit entry for each organisation, and one event for each window. */
function noteEnded(
  tx: Tx,
  { id: freezeId, createdBy, reason }: FreezeWork,
  ended: readonly TransitionedRequest[],
): void {
  for (const orgId of new Set(ended.map((window) => window.orgId))) {
    const windows = ended.filter((window) => window.orgId === orgId);
    tx.audit({
      action: 'pam.elevation_request.revoke',
      resource: { type: 'pam.elevation_request', id: null, name: null },
      partnerId: windows[0]!.partnerId,
      orgId,
      details: { freezeId, reason, requestIds: windows.map(({ id }) => id) },
    });
  }
  for (const window of ended) {
    tx.emit(ElevationRevoked, factOf(window, createdBy), { aggregateId: window.id });
    notifyRequester(tx, window);
  }
}
