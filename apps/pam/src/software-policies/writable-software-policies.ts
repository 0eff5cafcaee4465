import { ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PolicyTargets } from '../tenants/policy-targets.ts';
import type { Place } from '../tenants/policy-targets.repository.ts';
import { SoftwarePoliciesRepository, type SoftwarePolicyRow } from './software-policies.repository.ts';

/** Locks a software policy for a change, after checking that the caller may change it. */
@Injectable()
export class WritableSoftwarePolicies {
  constructor(
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly policyTargets: PolicyTargets,
  ) {}

  async lock(tx: Tx, caller: UserCaller, id: string): Promise<{ known: SoftwarePolicyRow; place: Place }> {
    const known = await this.softwarePolicies.lock(tx, caller.scope, id);
    if (!known) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    const place = await this.policyTargets.requireWritable(tx, caller, known);
    requireVersion(caller, known.version);
    return { known, place };
  }
}
