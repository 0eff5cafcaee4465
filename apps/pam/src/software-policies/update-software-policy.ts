import { changesOf, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { SoftwarePolicyRecord, UpdateSoftwarePolicyDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebooks, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { PolicyTargets } from '../policy-targets/policy-targets.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { policyValuesAt } from './policy-values.ts';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { auditSubject, softwarePolicyView } from './software-policy.view.ts';
import { WritableSoftwarePolicies } from './writable-software-policies.ts';

@Injectable()
export class UpdateSoftwarePolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly policyTargets: PolicyTargets,
    private readonly linter: RuleLinter,
    private readonly writableSoftwarePolicies: WritableSoftwarePolicies,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, software_policy_not_found, target_not_found, partner_access_denied,
   * site_access_denied, organization_frozen, conflict, version_conflict,
   * pam_rule_risky
   */
  execute(caller: UserCaller, id: string, patch: UpdateSoftwarePolicyDto): Promise<SoftwarePolicyRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { known, place } = await this.writableSoftwarePolicies.lock(tx, caller, id);
      // The target is checked only when it changes, so that a policy whose target was deleted can still be disabled.
      const newPlace = changes.target ? await this.policyTargets.require(tx, caller, changes.target) : place;
      const values = policyValuesAt(newPlace, { ...softwarePolicyView(known), ...changes });
      const policy = await this.softwarePolicies.update(tx, id, values);
      const hasMoved = policy.orgId !== known.orgId || policy.partnerId !== known.partnerId;
      const changed = { kind: 'software_policy', ids: [id], editedBy: caller.userId } as const;
      await bumpRulebooks(tx, hasMoved ? [policy, known] : [policy], [changed]);
      if (hasMoved) await requireRulebookCapacity(tx, 'software_policies', policy);
      await this.linter.requireSafePolicy(tx, policy);
      tx.audit({
        ...auditSubject(policy),
        action: 'pam.software_policy.update',
        details: {
          changedFields: Object.keys(changes),
          changes: changesOf(softwarePolicyView(known), softwarePolicyView(policy), Object.keys(changes)),
        },
      });
      return softwarePolicyView(policy);
    });
  }
}
