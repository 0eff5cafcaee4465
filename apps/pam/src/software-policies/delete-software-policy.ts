import { changesOf, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { auditSubject, softwarePolicyView } from './software-policy.view.ts';
import { WritableSoftwarePolicies } from './writable-software-policies.ts';

@Injectable()
export class DeleteSoftwarePolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly writableSoftwarePolicies: WritableSoftwarePolicies,
  ) {}

  /**
   * @throws ProblemError software_policy_not_found, partner_access_denied, site_access_denied, organization_frozen,
   * version_conflict
   */
  execute(caller: UserCaller, id: string): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const { known } = await this.writableSoftwarePolicies.lock(tx, caller, id);
      await this.softwarePolicies.delete(tx, id);
      await bumpRulebook(tx, known, { kind: 'software_policy', ids: [id], editedBy: caller.userId });
      const before = softwarePolicyView(known);
      const changes = changesOf(before, null, Object.keys(before));
      tx.audit({ ...auditSubject(known), action: 'pam.software_policy.delete', details: { changes } });
    });
  }
}
