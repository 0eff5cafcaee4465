import type { UserCaller } from '@gatehouse/contracts-core';
import type { SoftwarePolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { softwarePolicyView } from './software-policy.view.ts';

@Injectable()
export class ListSoftwarePolicies {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
  ) {}

  async execute(caller: UserCaller, orgId: string | undefined): Promise<SoftwarePolicyRecord[]> {
    const rows = await this.work.read(caller, (reader) => this.softwarePolicies.list(reader, caller.scope, orgId));
    return rows.map(softwarePolicyView);
  }
}
