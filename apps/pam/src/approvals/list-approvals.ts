import { pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalsResponse, ListApprovalsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { paginationOf } from '../paging/list-answer.ts';
import { approvalView } from './approval.view.ts';
import { ApprovalsRepository } from './approvals.repository.ts';

/** Lists the caller's own approvals; approvals of other technicians are not visible. */
@Injectable()
export class ListApprovals {
  constructor(
    private readonly work: UnitOfWork,
    private readonly approvals: ApprovalsRepository,
  ) {}

  async execute(caller: UserCaller, { status, ...paging }: ListApprovalsQuery): Promise<ApprovalsResponse> {
    const page = pageNamedBy(paging);
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.approvals.list(reader, caller.scope, { userId: caller.userId, status }, page),
    );
    return { success: true, approvals: rows.map(approvalView), ...paginationOf(page, total) };
  }
}
