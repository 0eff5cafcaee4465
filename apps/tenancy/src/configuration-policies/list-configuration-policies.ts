import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyQuery, ConfigurationPolicyResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ConfigurationPoliciesRepository } from './configuration-policies.repository.ts';

@Injectable()
export class ListConfigurationPolicies {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  execute(caller: UserCaller, query: ConfigurationPolicyQuery): Promise<Page<ConfigurationPolicyResponse>> {
    return this.work.read(caller, (reader) => this.configurationPoliciesRepository.list(reader, caller, query));
  }
}
