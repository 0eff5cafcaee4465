import type { UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalRecord, ApprovalStatus } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { approvalView } from './approval.view.ts';
import { ApprovalsRepository } from './approvals.repository.ts';

/** Lists the caller's own approvals; approvals of other technicians are not visible. */
@Injectable()
export class ListApprovals {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApprovalsRepository,
  ) {}

  async execute(caller: UserCaller, status: ApprovalStatus | undefined): Promise<ApprovalRecord[]> {
    const rows = await this.work.read(caller, (reader) =>
      this.approvals.list(reader, caller.scope, { userId: caller.userId, status }),
    );
    return rows.map(approvalView);
  }
}
