import type { UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyResponse, CreateConfigurationPolicyDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../scope/owner.ts';
import { auditPolicyChange } from './audit-policy-change.ts';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';
import { configurationPolicyView } from './configuration-policy.view.ts';

@Injectable()
export class CreateConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  /**
   * @throws ProblemError scope_denied, partner_required, org_required, organization_not_found, organization_frozen,
   * site_access_denied
   */
  execute(caller: UserCaller, draft: CreateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.configurationPoliciesRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      const policy = await this.configurationPoliciesRepository.get(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.create', policy, {});
      return configurationPolicyView(policy);
    });
  }
}
