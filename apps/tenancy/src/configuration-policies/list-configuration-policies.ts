import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { ConfigurationPolicyResponse, ConfigurationPolicyQuery } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { listedInReach } from '../scope/owner.ts';
import { configurationPolicyView, findPolicy, POLICY_COLUMNS } from './configuration-policy.view.ts';

@Injectable()
export class ListConfigurationPolicies {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: ConfigurationPolicyQuery): Promise<Page<ConfigurationPolicyResponse>> {
    const conditions = listedInReach(caller, 'p.').add('p.org_id = ?', query.orgId);
    return this.work.read(caller, (reader) =>
      listPage<ConfigurationPolicyResponse>(reader, query, {
        columns: POLICY_COLUMNS,
        from: 'configuration_policies p',
        conditions,
        order: ['p.name', 'p.id'],
      }),
    );
  }

  /** @throws ProblemError configuration_policy_not_found */
  one(caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    return this.work.read(caller, async (reader) => configurationPolicyView(await findPolicy(reader, caller, id)));
  }
}
