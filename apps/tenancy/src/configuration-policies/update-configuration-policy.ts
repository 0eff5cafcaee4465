import { partUpdates, requireSame, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyResponse, UpdateConfigurationPolicyDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditPolicyChange } from './audit-policy-change.ts';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';
import { configurationPolicyView } from './configuration-policy.view.ts';

@Injectable()
export class UpdateConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, configuration_policy_not_found, scope_denied, organization_frozen,
   * site_access_denied, version_conflict
   */
  execute(caller: UserCaller, id: string, patch: UpdateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    const { updates, named } = partUpdates(patch, ['ownerScope', 'orgId', 'partnerId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.configurationPoliciesRepository.getWritable(tx, caller, id);
      requireVersion(caller, known.version);
      requireSame(named, known);
      await this.configurationPoliciesRepository.update(tx, caller, id, updates);
      const policy = await this.configurationPoliciesRepository.get(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.update', policy, { changedFields: Object.keys(updates) });
      return configurationPolicyView(policy);
    });
  }
}
