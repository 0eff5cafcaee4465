import type { PlainAction, UserCaller } from '@gatehouse/contracts-core';
import {
  type ApprovalStatus,
  ApprovalSettled,
  type Decision,
  ElevationApproved,
  ElevationDenied,
  ElevationVoteGiven,
} from '@gatehouse/contracts-pam';
import { type Reader, requireLiveProvider, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ApprovalQuestionsRepository } from './approval-questions.repository.ts';
import { ApprovalsRepository } from './approvals.repository.ts';
import { factOf, notifyRequester, requestDetailsOf } from '../requests/transitioned-request.ts';
import { presentRequest, RequestTransitionsRepository } from '../requests/request-transitions.repository.ts';
import { decisionProblem } from '../requests/request-problems.ts';
import { CastVote, type Decided } from './cast-vote.ts';
import { VotesRepository } from './votes.repository.ts';

export interface Verdict {
  readonly id: string;
  readonly decision: Decision;
  readonly durationMinutes: number;
  readonly reason: string | null;
  /** Given with an approval. */
  readonly ticket: string | null;
  readonly audit: PlainAction;
  /** The new status of the decider's own approval. */
  readonly approvalStatus: ApprovalStatus;
}

/**
 * Applies a technician's decision to a pending request, from the dashboard or a phone. The first decision wins, or the
 * last vote where several have to approve; all other approvals of the request expire.
 */
@Injectable()
export class DecideRequest {
  constructor(
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly approvalQuestions: ApprovalQuestionsRepository,
    private readonly castVote: CastVote,
    private readonly votes: VotesRepository,
  ) {}

  async within(tx: Tx, caller: UserCaller, verdict: Verdict): Promise<Decided> {
    const decided = await (verdict.decision === 'approve'
      ? this.approve(tx, caller, verdict)
      : this.deny(tx, caller, verdict));
    await this.settleApprovals(tx, caller, decided, verdict.approvalStatus);
    publish(tx, caller, decided, verdict);
    return decided;
  }

  /** What a decision has come to since, for the answer to its repetition. */
  async again(
    reader: Reader,
    caller: UserCaller,
    { id, decision }: Pick<Verdict, 'id' | 'decision'>,
  ): Promise<Decided> {
    const moved = await presentRequest(reader, caller.scope, id);
    if (moved.votesRequired > 1) return { moved, votesGiven: (await this.votes.tally(reader, id)).given };
    return { moved, votesGiven: decision === 'approve' ? 1 : 0 };
  }

  /**
   * One statement decides an ordinary request; one that demands more is voted on under its lock. The server runs the
   * statements of a connection in turn, so the one that decides follows the lock without waiting for its answer.
   */
  private async approve(tx: Tx, caller: UserCaller, verdict: Verdict): Promise<Decided> {
    const { id, durationMinutes: minutes, reason, ticket } = verdict;
    await requireLiveProvider(tx, caller);
    if (ticket !== null) await this.castVote.giveTicket(tx, caller, { id, ticket });
    const [, moved] = await Promise.all([
      this.requestTransitions.holdRulebook(tx, id),
      this.requestTransitions.approve(tx, caller, id, { minutes, reason }),
    ]);
    return moved ? { moved, votesGiven: 1 } : this.castVote.within(tx, caller, verdict);
  }

  private async deny(tx: Tx, caller: UserCaller, { id, reason }: Verdict): Promise<Decided> {
    const moved = await this.requestTransitions.deny(tx, caller, id, reason);
    if (!moved) throw decisionProblem(caller, await this.requestTransitions.obstacle(tx, caller.scope, id), false);
    return { moved, votesGiven: moved.votesRequired > 1 ? (await this.votes.tally(tx, id)).given : 0 };
  }

  private async settleApprovals(
    tx: Tx,
    caller: UserCaller,
    { moved: { id, siteId, deviceId, status } }: Decided,
    own: ApprovalStatus,
  ): Promise<void> {
    const decider = { userId: caller.userId, own };
    const [settled] = await Promise.all([
      status === 'pending' ? this.approvals.settleOwn(tx, id, decider) : this.approvals.settle(tx, id, decider),
      this.approvalQuestions.unpark(tx, [deviceId]),
    ]);
    for (const { deviceId: _, ...approval } of settled) {
      tx.emit(ApprovalSettled, { ...approval, siteId }, { aggregateId: id });
    }
  }
}

function publish(tx: Tx, caller: UserCaller, { moved, votesGiven }: Decided, verdict: Verdict): void {
  const { votesRequired, status } = moved;
  const votes = { votesGiven, votesRequired };
  const approving = verdict.decision === 'approve';
  const fact = factOf(moved, caller.id);
  if (approving && votesRequired > 1) tx.emit(ElevationVoteGiven, { ...fact, ...votes }, { aggregateId: moved.id });
  if (status !== 'pending') {
    tx.emit(approving ? ElevationApproved : ElevationDenied, fact, { aggregateId: moved.id });
    notifyRequester(tx, moved);
  }
  tx.audit({
    action: verdict.audit,
    resource: { type: 'pam.elevation_request', id: moved.id, name: moved.deviceHostname },
    partnerId: moved.partnerId,
    orgId: moved.orgId,
    siteId: moved.siteId,
    details: {
      status,
      reason: verdict.reason,
      ...requestDetailsOf(moved),
      ...(approving && { durationMinutes: verdict.durationMinutes, ...votes }),
    },
  });
}
