import { invalid, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateSoftwarePolicyDto,
  DEFAULT_RULE_PRIORITY,
  type SoftwarePolicyRecord,
  type SoftwareRuleDto,
  type UpdateSoftwarePolicyDto,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { PolicyTargets } from './policy-targets.ts';
import type { Place } from './policy-targets.repository.ts';
import {
  SoftwarePoliciesRepository,
  type SoftwarePolicyRow,
  type SoftwarePolicyValues,
} from './software-policies.repository.ts';
import { auditSubject, softwarePolicyView } from './software-policy.view.ts';

type Draft = Omit<CreateSoftwarePolicyDto, 'priority' | 'enabled'> & { priority: number; enabled: boolean };

/** Rejects a line without criteria: it would match nothing, without its author noticing. */
function kept(line: SoftwareRuleDto, at: number): SoftwareRuleDto {
  const fields = [line.sha256, line.signer, line.publisher, line.pathGlob];
  if (fields.every((field) => field === undefined || field === null))
    throw invalid(`rules.${at}`, 'needs at least one of sha256, signer, publisher and pathGlob');
  const [signer, publisher, pathGlob] = [line.signer, line.publisher, line.pathGlob].map(
    (text) => text?.trim() ?? text,
  );
  return { ...line, name: line.name.trim(), sha256: line.sha256?.toLowerCase(), signer, publisher, pathGlob };
}

const valuesAt = (
  { partnerId, orgId }: Place,
  { target, rules, name, mode, priority, enabled }: Draft,
): SoftwarePolicyValues => ({
  partnerId,
  orgId,
  name: name.trim(),
  mode,
  priority,
  enabled,
  targetLevel: target.level,
  targetId: target.id,
  rules: rules.map(kept),
});

@Injectable()
export class CreateSoftwarePolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly policies: SoftwarePoliciesRepository,
    private readonly targets: PolicyTargets,
  ) {}

  /** @throws ProblemError target_not_found, partner_access_denied, site_access_denied, organization_frozen, conflict */
  create(
    caller: UserCaller,
    { priority = DEFAULT_RULE_PRIORITY, enabled = true, ...draft }: CreateSoftwarePolicyDto,
  ): Promise<SoftwarePolicyRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const values = valuesAt(await this.targets.require(tx, caller, draft.target), { ...draft, priority, enabled });
      const policy = await this.policies.insert(tx, { id: newId(), createdBy: caller.userId }, values);
      await bumpRulebook(tx, policy);
      await requireRulebookCapacity(tx, 'software_policies', policy);
      tx.audit({
        ...auditSubject(policy),
        action: 'pam.software_policy.create',
        details: { mode: policy.mode, target: draft.target },
      });
      return softwarePolicyView(policy);
    });
  }

  /** @throws ProblemError no_updates_provided, software_policy_not_found, and as {@link create} */
  update(caller: UserCaller, id: string, patch: UpdateSoftwarePolicyDto): Promise<SoftwarePolicyRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { known, place } = await this.lock(tx, caller, id);
      // The target is checked only when it changes, so that a policy whose target was deleted can still be disabled.
      const values = valuesAt(changes.target ? await this.targets.require(tx, caller, changes.target) : place, {
        ...softwarePolicyView(known),
        ...changes,
      });
      const policy = await this.policies.update(tx, id, values);
      await bumpRulebook(tx, policy);
      if (policy.orgId !== known.orgId || policy.partnerId !== known.partnerId) {
        await bumpRulebook(tx, known);
        await requireRulebookCapacity(tx, 'software_policies', policy);
      }
      tx.audit({
        ...auditSubject(policy),
        action: 'pam.software_policy.update',
        details: { changedFields: Object.keys(changes) },
      });
      return softwarePolicyView(policy);
    });
  }

  delete(caller: UserCaller, id: string): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const { known } = await this.lock(tx, caller, id);
      await this.policies.delete(tx, id);
      await bumpRulebook(tx, known);
      tx.audit({ ...auditSubject(known), action: 'pam.software_policy.delete' });
    });
  }

  private async lock(tx: Tx, caller: UserCaller, id: string): Promise<{ known: SoftwarePolicyRow; place: Place }> {
    const known = await this.policies.lock(tx, caller.scope, id);
    if (!known) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    return { known, place: await this.targets.requireWritable(tx, caller, known) };
  }
}
