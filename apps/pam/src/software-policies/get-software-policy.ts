import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SoftwarePolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { softwarePolicyView } from './software-policy.view.ts';

@Injectable()
export class GetSoftwarePolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
  ) {}

  /** @throws ProblemError software_policy_not_found */
  async execute(caller: UserCaller, id: string): Promise<SoftwarePolicyRecord> {
    const row = await this.work.read(caller, (reader) => this.softwarePolicies.find(reader, caller.scope, id));
    if (!row) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    return softwarePolicyView(row);
  }
}
