import type { AuditAction, UserCaller } from '@gatehouse/contracts-core';
import {
  type ApprovalStatus,
  ApprovalSettled,
  type Decision,
  ElevationApproved,
  ElevationDenied,
} from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ApprovalQuestionsRepository } from '../approvals/approval-questions.repository.ts';
import { ApprovalsRepository } from '../approvals/approvals.repository.ts';
import { factOf, type Moved, toolDetailsOf } from '../request-states/moved-request.ts';
import { RequestTransitionsRepository } from '../request-states/request-transitions.repository.ts';
import { decisionProblem } from '../request-states/request-problems.ts';

export interface Verdict {
  readonly id: string;
  readonly decision: Decision;
  readonly durationMinutes: number;
  readonly reason: string | null;
  readonly audit: AuditAction;
  /** The new status of the decider's own approval. */
  readonly approvalStatus: ApprovalStatus;
}

/**
 * Applies a technician's decision to a pending request, from the dashboard or a phone. The first decision wins; all
 * other approvals of the request expire.
 */
@Injectable()
export class DecideRequest {
  constructor(
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly approvalQuestions: ApprovalQuestionsRepository,
  ) {}

  /**
   * @throws ProblemError elevation_request_not_found, site_access_denied, self_approval_denied, tool_execution_timed_out,
   * organization_frozen, conflict, not_pending
   */
  async within(tx: Tx, caller: UserCaller, verdict: Verdict): Promise<Moved> {
    const { id, decision, durationMinutes: minutes, reason, audit } = verdict;
    const approving = decision === 'approve';
    const moved = approving
      ? await this.requestTransitions.approve(tx, caller, id, { minutes, reason })
      : await this.requestTransitions.deny(tx, caller, id, reason);
    if (!moved) throw decisionProblem(caller, await this.requestTransitions.obstacle(tx, caller.scope, id), approving);
    tx.emit(approving ? ElevationApproved : ElevationDenied, factOf(moved, caller.id), { aggregateId: id });
    await this.settleApprovals(tx, caller, moved, verdict.approvalStatus);
    const details = {
      status: moved.status,
      flowType: moved.flowType,
      deviceId: moved.deviceId,
      reason,
      ...toolDetailsOf(moved),
      ...(approving && { durationMinutes: minutes }),
    };
    tx.audit({
      action: audit,
      resource: { type: 'pam.elevation_request', id, name: moved.deviceHostname },
      partnerId: moved.partnerId,
      orgId: moved.orgId,
      siteId: moved.siteId,
      details,
    });
    return moved;
  }

  private async settleApprovals(
    tx: Tx,
    caller: UserCaller,
    { id, siteId, deviceId }: Moved,
    own: ApprovalStatus,
  ): Promise<void> {
    for (const { deviceId: _, ...approval } of await this.approvals.settle(tx, id, { userId: caller.userId, own })) {
      tx.emit(ApprovalSettled, { ...approval, siteId }, { aggregateId: id });
    }
    await this.approvalQuestions.unpark(tx, [deviceId]);
  }
}
