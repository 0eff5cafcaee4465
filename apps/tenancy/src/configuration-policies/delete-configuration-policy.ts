import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditPolicyChange } from './audit-policy-change.ts';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';

@Injectable()
export class DeleteConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  /**
   * @throws ProblemError configuration_policy_not_found, scope_denied, organization_frozen, site_access_denied,
   * version_conflict
   */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const policy = await this.configurationPoliciesRepository.getWritable(tx, caller, id);
      requireVersion(caller, policy.version);
      await this.configurationPoliciesRepository.delete(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.delete', policy);
    });
  }
}
