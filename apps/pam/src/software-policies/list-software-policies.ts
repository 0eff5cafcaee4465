import { pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { OrgListQuery, SoftwarePoliciesResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { paginationOf } from '../paging/list-answer.ts';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { softwarePolicyView } from './software-policy.view.ts';

@Injectable()
export class ListSoftwarePolicies {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
  ) {}

  async execute(caller: UserCaller, { orgId, ...paging }: OrgListQuery): Promise<SoftwarePoliciesResponse> {
    const page = pageNamedBy(paging);
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.softwarePolicies.list(reader, caller.scope, orgId, page),
    );
    return { success: true, softwarePolicies: rows.map(softwarePolicyView), ...paginationOf(page, total) };
  }
}
