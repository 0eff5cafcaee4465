import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { approvalView } from './approval.view.ts';
import { ApprovalsRepository } from './approvals.repository.ts';

/** Reads one of the caller's own approvals. */
@Injectable()
export class GetApproval {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApprovalsRepository,
  ) {}

  /** @throws ProblemError approval_not_found */
  async execute(caller: UserCaller, id: string): Promise<ApprovalRecord> {
    const {
      rows: [row],
    } = await this.work.read(caller, (reader) =>
      this.approvals.list(reader, caller.scope, { userId: caller.userId, id }),
    );
    if (!row) throw new ProblemError('approval_not_found', 'There is no such approval.');
    return approvalView(row);
  }
}
