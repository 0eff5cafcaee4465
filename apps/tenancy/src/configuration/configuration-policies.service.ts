import {
  type Page,
  partUpdates,
  type PlainAction,
  requireSame,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  ConfigurationPolicyQuery,
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  UpdateConfigurationPolicyDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireOwner } from '../scope/owner.ts';
import { ConfigurationPoliciesRepository, type ConfigurationPolicyRow } from './configuration-policies.repository.ts';

const configurationPolicyView = ({ partnerId: _, ...policy }: ConfigurationPolicyRow): ConfigurationPolicyResponse =>
  policy;

export function auditPolicyChange(
  tx: Tx,
  action: PlainAction,
  { id, name, partnerId, orgId }: Pick<ConfigurationPolicyRow, 'id' | 'name' | 'partnerId' | 'orgId'>,
  details?: Readonly<Record<string, unknown>>,
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'configuration_policy', id, name }, details });
}

@Injectable()
export class ConfigurationPoliciesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly configurationPoliciesRepository: ConfigurationPoliciesRepository,
  ) {}

  list(caller: UserCaller, query: ConfigurationPolicyQuery): Promise<Page<ConfigurationPolicyResponse>> {
    return this.work.read(caller, (reader) => this.configurationPoliciesRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<ConfigurationPolicyResponse> {
    return this.work.read(caller, async (reader) =>
      configurationPolicyView(await this.configurationPoliciesRepository.get(reader, caller, id)),
    );
  }

  create(caller: UserCaller, draft: CreateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.configurationPoliciesRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      const policy = await this.configurationPoliciesRepository.get(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.create', policy, {});
      return configurationPolicyView(policy);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
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

  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const policy = await this.configurationPoliciesRepository.getWritable(tx, caller, id);
      requireVersion(caller, policy.version);
      await this.configurationPoliciesRepository.delete(tx, caller, id);
      auditPolicyChange(tx, 'configuration_policy.delete', policy);
    });
  }
}
