import { pageNamedBy, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalRecord, ApprovalsResponse, ListApprovalsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { demandOf, rowView } from '../requests/elevation-request.view.ts';
import { paginationOf } from '../pages.repository.ts';
import { type ApprovalRow, ApprovalsRepository } from './approvals.repository.ts';

/** An approval of one's own: who was asked reads all of the request (PAM-305). */
function approvalView({
  approvalId: id,
  approvalStatus: status,
  createdAt,
  approvalExpiresAt,
  approvalDecidedAt,
  lapsed: _,
  promptCount,
  ...request
}: ApprovalRow): ApprovalRecord {
  return {
    id,
    status,
    promptCount,
    orgId: request.orgId,
    elevationRequestId: request.id,
    createdAt: createdAt.toISOString(),
    expiresAt: approvalExpiresAt.toISOString(),
    decidedAt: approvalDecidedAt?.toISOString() ?? null,
    ...demandOf(request),
    request: rowView(request, true),
  };
}

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApprovalsRepository,
  ) {}

  /** Lists the caller's own approvals; approvals of other technicians are not visible. */
  async list(caller: UserCaller, { status, ...paging }: ListApprovalsQuery): Promise<ApprovalsResponse> {
    const page = pageNamedBy(paging);
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.approvals.list(reader, caller.scope, { userId: caller.userId, status }, page),
    );
    return { success: true, approvals: rows.map(approvalView), ...paginationOf(page, total) };
  }

  /** Reads one of the caller's own approvals. */
  async get(caller: UserCaller, id: string): Promise<ApprovalRecord> {
    const {
      rows: [row],
    } = await this.work.read(caller, (reader) =>
      this.approvals.list(reader, caller.scope, { userId: caller.userId, id }),
    );
    if (!row) throw new ProblemError('approval_not_found', 'There is no such approval.');
    return approvalView(row);
  }
}
