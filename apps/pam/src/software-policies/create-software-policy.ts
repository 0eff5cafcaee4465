import type { UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateSoftwarePolicyDto,
  DEFAULT_RULE_PRIORITY,
  type SoftwarePolicyRecord,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { PolicyTargets } from '../policy-targets/policy-targets.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { policyValuesAt } from './policy-values.ts';
import { SoftwarePoliciesRepository } from './software-policies.repository.ts';
import { auditSubject, softwarePolicyView } from './software-policy.view.ts';

@Injectable()
export class CreateSoftwarePolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly policyTargets: PolicyTargets,
    private readonly linter: RuleLinter,
  ) {}

  /** @throws ProblemError target_not_found, partner_access_denied, site_access_denied, organization_frozen, conflict,
   * pam_rule_risky */
  execute(
    caller: UserCaller,
    { priority = DEFAULT_RULE_PRIORITY, enabled = true, ...draft }: CreateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const place = await this.policyTargets.require(tx, caller, draft.target);
      const values = policyValuesAt(place, { ...draft, priority, enabled });
      const policy = await this.softwarePolicies.insert(tx, { id: newId(), createdBy: caller.userId }, values);
      await bumpRulebook(tx, policy, { kind: 'software_policy', ids: [policy.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'software_policies', policy);
      await this.linter.requireSafePolicy(tx, policy);
      tx.audit({
        ...auditSubject(policy),
        action: 'pam.software_policy.create',
        details: { mode: policy.mode, target: draft.target },
      });
      return softwarePolicyView(policy);
    });
  }
}
