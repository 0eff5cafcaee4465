import { type AuditAction, partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type {
  ConfigurationPolicyResponse,
  CreateConfigurationPolicyDto,
  UpdateConfigurationPolicyDto,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments } from '../rows/assignments.ts';
import { ownedInReach, requireOwned, requireOwner } from '../scope/owner.ts';
import {
  type ConfigurationPolicyRow,
  configurationPolicyView,
  findPolicy,
  policyNotFound,
} from './configuration-policy.view.ts';

const INSERT =
  'INSERT INTO configuration_policies (id, partner_id, org_id, name, features) VALUES ($1, $2, $3, $4, $5)';

@Injectable()
export class SaveConfigurationPolicy {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * @throws ProblemError scope_denied, partner_required, org_required, organization_not_found, organization_frozen,
   * site_access_denied
   */
  create(caller: UserCaller, draft: CreateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId, orgId } = await requireOwner(tx, caller, draft);
      const id = newId();
      await tx.query(INSERT, [id, partnerId, orgId, draft.name, { ...draft.features }]);
      return this.recorded(tx, caller, id, { action: 'configuration_policy.create' });
    });
  }

  /**
   * @throws ProblemError no_updates_provided, configuration_policy_not_found, scope_denied, organization_frozen,
   * site_access_denied
   */
  update(caller: UserCaller, id: string, patch: UpdateConfigurationPolicyDto): Promise<ConfigurationPolicyResponse> {
    const { updates, named } = partUpdates(patch, ['ownerScope', 'orgId', 'partnerId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.requirePolicy(tx, caller, id));
      const conditions = ownedInReach(caller).add('id = ?', id);
      const set = assignments(updates, conditions);
      await tx.query(`UPDATE configuration_policies SET ${set} ${conditions.where}`, conditions.parameters);
      return this.recorded(tx, caller, id, {
        action: 'configuration_policy.update',
        details: { changedFields: Object.keys(updates) },
      });
    });
  }

  /** @throws ProblemError configuration_policy_not_found, scope_denied, organization_frozen, site_access_denied */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const { partnerId, orgId, name } = await this.requirePolicy(tx, caller, id);
      const { where, parameters } = ownedInReach(caller).add('id = ?', id);
      if (!(await tx.one(`DELETE FROM configuration_policies ${where} RETURNING id`, parameters)))
        throw policyNotFound();
      tx.audit({
        action: 'configuration_policy.delete',
        partnerId,
        orgId,
        resource: { type: 'configuration_policy', id, name },
      });
    });
  }

  private async requirePolicy(tx: Tx, caller: UserCaller, id: string): Promise<ConfigurationPolicyRow> {
    const policy = await findPolicy(tx, caller, id);
    await requireOwned(tx, caller, policy.orgId);
    return policy;
  }

  private async recorded(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { action, details = {} }: { action: AuditAction; details?: Record<string, unknown> },
  ): Promise<ConfigurationPolicyResponse> {
    const policy = await findPolicy(tx, caller, id);
    tx.audit({
      action,
      partnerId: policy.partnerId,
      orgId: policy.orgId,
      resource: { type: 'configuration_policy', id, name: policy.name },
      details,
    });
    return configurationPolicyView(policy);
  }
}
