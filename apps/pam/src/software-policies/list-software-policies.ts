import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SoftwarePolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { softwarePolicyView } from './software-policy.view.ts';

@Injectable()
export class ListSoftwarePolicies {
  constructor(
    private readonly work: UnitOfWork,
    private readonly policies: SoftwarePoliciesRepository,
  ) {}

  async execute(caller: UserCaller, orgId: string | undefined): Promise<SoftwarePolicyRecord[]> {
    const rows = await this.work.read(caller, (reader) => this.policies.list(reader, caller.scope, orgId));
    return rows.map(softwarePolicyView);
  }

  /** @throws ProblemError software_policy_not_found */
  async one(caller: UserCaller, id: string): Promise<SoftwarePolicyRecord> {
    const row = await this.work.read(caller, (reader) => this.policies.find(reader, caller.scope, id));
    if (!row) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    return softwarePolicyView(row);
  }
}
