import type { UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';
import { configurationPolicyView } from './configuration-policy.view.ts';

@Injectable()
export class GetConfigurationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  /** @throws ProblemError configuration_policy_not_found */
  execute(caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    return this.work.read(caller, async (reader) =>
      configurationPolicyView(await this.configurationPoliciesRepository.get(reader, caller, id)),
    );
  }
}
