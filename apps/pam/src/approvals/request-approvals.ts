import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { ApprovalPushRequested, type ElevationFact, ElevationRequested } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { ConsumesTogether } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { ApprovalQuestionsRepository, BEFORE_ALL_TECHNICIANS, type Question } from './approval-questions.repository.ts';
import { ApprovalsRepository, type WrittenApproval } from './approvals.repository.ts';

/** The title carries no details, because it appears on lock screens. */
const NEUTRAL_TITLE = 'A request is awaiting your approval';
/**
 * The most approvals that one transaction writes. Without the limit, a partner with thousands of technicians and
 * hundreds of pending requests would exhaust the memory.
 */
const MAX_APPROVALS = 2_500;
/** Requests for which one statement looks up technicians. */
const TOGETHER = 200;
const EVERY_MS = 250;
const SELF = asService('pam');

/**
 * Creates an approval for every technician who may decide a pending request; the notifier pushes them to their phones.
 * Work beyond one transaction is stored in `approval_questions` and processed in batches, round-robin by partner.
 */
@Injectable()
export class RequestApprovals {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly approvalQuestions: ApprovalQuestionsRepository,
    private readonly work: UnitOfWork,
  ) {}

  @ConsumesTogether(ElevationRequested)
  async ask(tx: Tx, events: EventEnvelope<ElevationFact>[]): Promise<void> {
    const pending = new Map(
      events
        .filter(({ data }) => data.status === 'pending')
        .map(({ data }) => [data.elevationRequestId, questionOf(data)]),
    );
    await this.requestSome(tx, [...pending.values()]);
  }

  /**
   * Writes approvals for all other people who may decide a pending request, also those whom no push reaches; none under
   * a lockdown.
   */
  async askAll(
    tx: Tx,
    request: Omit<Question, 'elevationRequestId' | 'askedUpTo'> & { id: string },
  ): Promise<WrittenApproval[]> {
    const { id: elevationRequestId, partnerId, orgId, siteId, deviceId } = request;
    const question = { elevationRequestId, partnerId, orgId, siteId, deviceId, askedUpTo: BEFORE_ALL_TECHNICIANS };
    const questions = await this.approvals.askable(tx, [question]);
    if (questions.length === 0) return [];
    const { written } = await this.approvals.write(tx, questions, MAX_APPROVALS, 'all');
    emitPushes(tx, written, questions);
    return written;
  }

  @Every(EVERY_MS, 'ask technicians')
  async requestWaiting(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.work.background(SELF, (tx) => this.requestNext(tx))));
  }

  /** @returns whether more questions may be waiting */
  private async requestNext(tx: Tx): Promise<boolean> {
    const taken = await this.approvalQuestions.take(tx);
    await this.requestSome(tx, taken);
    return taken.length > 0;
  }

  private async requestSome(tx: Tx, wanted: readonly Question[]): Promise<void> {
    const questions = wanted.length > 0 ? await this.approvals.askable(tx, wanted) : [];
    const open: Question[] = [];
    let remaining = MAX_APPROVALS;
    for (let at = 0; at < questions.length; at += TOGETHER) {
      const some = questions.slice(at, at + TOGETHER);
      const mostEach = Math.floor(remaining / some.length);
      const asked = mostEach > 0 ? await this.approvals.write(tx, some, mostEach) : { written: [], open: some };
      emitPushes(tx, asked.written, some);
      remaining -= asked.written.length;
      open.push(...asked.open);
    }
    await this.approvalQuestions.insert(tx, open);
    const later = new Set(open.map(({ elevationRequestId }) => elevationRequestId));
    const asked = questions.filter(({ elevationRequestId }) => !later.has(elevationRequestId));
    await this.approvalQuestions.park(tx, asked.length > 0 ? await this.approvals.waitingForPlace(tx, asked) : []);
  }
}

const questionOf = ({ elevationRequestId, partnerId, orgId, siteId, deviceId }: ElevationFact): Question => ({
  elevationRequestId,
  partnerId,
  orgId,
  siteId,
  deviceId,
  askedUpTo: BEFORE_ALL_TECHNICIANS,
});

function emitPushes(
  tx: Tx,
  written: Awaited<ReturnType<ApprovalsRepository['write']>>['written'],
  questions: readonly Question[],
): void {
  const sites = new Map(questions.map(({ elevationRequestId, siteId }) => [elevationRequestId, siteId]));
  for (const { elevationRequestId, expiresAt, ...approval } of written) {
    tx.emit(
      ApprovalPushRequested,
      {
        ...approval,
        siteId: sites.get(elevationRequestId) ?? null,
        title: NEUTRAL_TITLE,
        expiresAt: expiresAt.toISOString(),
      },
      { aggregateId: approval.approvalId },
    );
  }
}
