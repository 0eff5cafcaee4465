import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ApprovalSettledResponse,
  type ApprovalStatus,
  type Decision,
  ElevationRevoked,
  ElevationTaken,
  type RequestStatusResponse,
  type RespondDto,
  type RespondedResponse,
  type TakenRequestResponse,
} from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { isActive, ticketOf } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { ApprovalsRepository } from './approvals.repository.ts';
import { CommandQueueRepository } from '../requests/command-queue.repository.ts';
import {
  factOf,
  notifyRequester,
  requestDetailsOf,
  type TransitionedRequest,
} from '../requests/transitioned-request.ts';
import { decidabilityProblem, requestNotFound, requireReach, revocationProblem } from '../requests/request-problems.ts';
import { RequestTransitionsRepository } from '../requests/request-transitions.repository.ts';
import type { Decided } from './cast-vote.ts';
import { DecideRequest, type Verdict } from './decide-request.ts';

type Settlement = Exclude<ApprovalStatus, 'pending' | 'expired'>;

const OUTCOME = {
  approved: { decision: 'approve', audit: 'pam.approval.approve' },
  denied: { decision: 'deny', audit: 'pam.approval.deny' },
  /** A request reported as suspicious is denied, so that no other technician can approve it. */
  reported: { decision: 'deny', audit: 'pam.approval.report' },
} as const satisfies Record<Settlement, { decision: Decision; audit: string }>;

interface ApprovalAnswerInput {
  readonly durationMinutes: number;
  readonly reason: string | null;
  /** Given with an approval. */
  readonly ticket?: string | null;
}

/** The approval is what its person made of it, unless votes are missing, or the grant has ended since. */
function statusOf({ status }: Decided['moved'], own: Settlement): ApprovalStatus {
  if (status === 'pending') return status;
  return own === 'approved' && !isActive(status) ? 'expired' : own;
}

const expired = (): ProblemError => new ProblemError('approval_expired', 'This approval has expired.');

const decided = (finalStatus: unknown): ProblemError =>
  finalStatus === 'expired'
    ? expired()
    : new ProblemError('already_decided', 'This request has already been decided.', { finalStatus });

/** Another decision committed first: translates the problem into that of an approval. */
const asApprovalProblem = (error: unknown): unknown =>
  error instanceof ProblemError && error.code === 'not_pending' ? decided(error.members['currentStatus']) : error;

function tellTaken(tx: Tx, caller: UserCaller, request: TransitionedRequest, act: 'take' | 'release'): void {
  const { id, deviceHostname: name, partnerId, orgId, siteId } = request;
  tx.emit(ElevationTaken, factOf(request, caller.id), { aggregateId: id });
  tx.audit({
    action: `pam.elevation_request.${act}`,
    resource: { type: 'pam.elevation_request', id, name },
    partnerId,
    orgId,
    siteId,
    details: requestDetailsOf(request),
  });
}

@Injectable()
export class DecisionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly decideRequest: DecideRequest,
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly commandQueue: CommandQueueRepository,
    private readonly approvals: ApprovalsRepository,
  ) {}

  /** A technician approves or denies a request in the dashboard (PAM-01). */
  async respondToRequest(
    caller: UserCaller,
    id: string,
    { decision, durationMinutes, reason, ticket }: RespondDto,
  ): Promise<RespondedResponse> {
    const approvalStatus = decision === 'approve' ? 'approved' : 'denied';
    const verdict = {
      id,
      decision,
      durationMinutes,
      reason: reason ?? null,
      ticket: ticketOf(ticket),
      approvalStatus,
      audit: `pam.elevation_request.${decision}`,
    } as const;
    const { moved, votesGiven } = await this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.decideRequest.within(tx, caller, verdict),
      { keep: () => id, answer: (reader) => this.decideRequest.again(reader, caller, verdict) },
    );
    return { success: true, id, status: moved.status, votesGiven, votesRequired: moved.votesRequired };
  }

  /**
   * Revokes an elevation (PAM-08): ends the window, cancels commands that the device has not fetched, and queues a
   * revocation for the device.
   */
  revokeElevation(caller: UserCaller, id: string, reason: string): Promise<RequestStatusResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const moved = await this.requestTransitions.revoke(tx, caller, id, reason.trim());
      if (!moved) throw revocationProblem(caller, await this.requestTransitions.obstacle(tx, caller.scope, id));
      await this.commandQueue.cancelActuation(tx, id);
      await this.commandQueue.queueRevocation(tx, moved);
      tx.emit(ElevationRevoked, factOf(moved, caller.id), { aggregateId: id });
      notifyRequester(tx, moved);
      tx.audit({
        action: 'pam.elevation_request.revoke',
        resource: { type: 'pam.elevation_request', id, name: moved.deviceHostname },
        partnerId: moved.partnerId,
        orgId: moved.orgId,
        siteId: moved.siteId,
        details: { reason: reason.trim(), ...requestDetailsOf(moved) },
      });
      return { success: true, id, status: moved.status };
    });
  }

  /** Tells colleagues that the caller looks at a pending request (PAM-382). */
  take(caller: UserCaller, id: string): Promise<TakenRequestResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.requirePending(tx, caller, id);
      const taken = await this.requestTransitions.take(tx, caller, id);
      if (!taken) throw requestNotFound();
      tellTaken(tx, caller, taken, 'take');
      return { success: true, id, status: taken.status, takenUntil: taken.takenUntil.toISOString() };
    });
  }

  release(caller: UserCaller, id: string): Promise<TakenRequestResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.requirePending(tx, caller, id);
      const left = await this.requestTransitions.release(tx, caller, id);
      if (left) tellTaken(tx, caller, left, 'release');
      return { success: true, id, status: 'pending', takenUntil: null };
    });
  }

  /** Locks the request, so that it stays as it is until the transaction ends. */
  private async requirePending(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const known = requireReach(caller.scope, await this.requestTransitions.lock(tx, caller.scope, id));
    const problem = decidabilityProblem(caller, known, false);
    if (problem) throw problem;
  }

  /** Decides a request from a technician's phone, with the same checks as a response in the dashboard. */
  async settleApproval(
    caller: UserCaller,
    id: string,
    status: Settlement,
    { durationMinutes, reason, ticket = null }: ApprovalAnswerInput,
  ): Promise<ApprovalSettledResponse> {
    const verdict = { ...OUTCOME[status], durationMinutes, reason, ticket, approvalStatus: status };
    const { moved, votesGiven } = await this.work.once<Decided, string>(
      caller,
      caller.idempotency,
      (tx) => this.settle(tx, caller, id, verdict),
      {
        keep: (decided) => decided.moved.id,
        answer: (reader, requestId) => this.decideRequest.again(reader, caller, { ...verdict, id: requestId }),
      },
    );
    return { success: true, id, status: statusOf(moved, status), votesGiven, votesRequired: moved.votesRequired };
  }

  private async settle(tx: Tx, caller: UserCaller, id: string, verdict: Omit<Verdict, 'id'>): Promise<Decided> {
    const requestId = await this.openRequest(tx, caller, id);
    try {
      return await this.decideRequest.within(tx, caller, { ...verdict, id: requestId });
    } catch (error) {
      throw asApprovalProblem(error);
    }
  }

  /**
   * Finds the approval's request whatever the device's site; {@link DecideRequest} checks the caller's reach.
   */
  private async openRequest(tx: Tx, caller: UserCaller, id: string): Promise<string> {
    const [approval] = (await this.approvals.list(tx, { ...caller.scope, sites: 'all' }, { userId: caller.userId, id }))
      .rows;
    if (!approval) throw new ProblemError('approval_not_found', 'There is no such approval.');
    if (approval.status !== 'pending') throw decided(approval.status);
    if (approval.lapsed) throw expired();
    return approval.id;
  }
}
