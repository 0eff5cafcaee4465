import {
  type AuditSubject,
  changeDetails,
  changesOf,
  invalid,
  pageNamedBy,
  ProblemError,
  requireUpdates,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import {
  type CreateSoftwarePolicyDto,
  DEFAULT_RULE_PRIORITY,
  type OrgListQuery,
  type SoftwarePoliciesResponse,
  type SoftwarePolicyRecord,
  type SoftwareRuleDto,
  type UpdateSoftwarePolicyDto,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook, bumpRulebooks, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { paginationOf } from '../pages.repository.ts';
import { RuleLinter } from '../rules/rule-linter.ts';
import type { Place } from '../tenants/policy-targets.repository.ts';
import { PolicyTargets } from '../tenants/policy-targets.ts';
import {
  SoftwarePoliciesRepository,
  type SoftwarePolicyRow,
  type SoftwarePolicyValues,
} from './software-policies.repository.ts';

/** Locks a software policy for a change, after checking that the caller may change it. */
@Injectable()
export class WritableSoftwarePolicies {
  constructor(
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly policyTargets: PolicyTargets,
  ) {}

  async lock(tx: Tx, caller: UserCaller, id: string): Promise<{ known: SoftwarePolicyRow; place: Place }> {
    const known = await this.softwarePolicies.lock(tx, caller.scope, id);
    if (!known) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    const place = await this.policyTargets.requireWritable(tx, caller, known);
    requireVersion(caller, known.version);
    return { known, place };
  }
}

function softwarePolicyView({
  partnerId: _,
  targetLevel: level,
  targetId: id,
  ...row
}: SoftwarePolicyRow): SoftwarePolicyRecord {
  return {
    ...row,
    target: { level, id },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const auditSubject = ({ id, name, orgId, partnerId }: SoftwarePolicyRow): AuditSubject => ({
  resource: { type: 'pam.software_policy', id, name },
  orgId,
  partnerId,
});

/** The fields of a policy that carry authority. */
const POLICY_FIELDS = ['name', 'mode', 'priority', 'enabled', 'target', 'rules'];

type Draft = Omit<CreateSoftwarePolicyDto, 'priority' | 'enabled'> & { priority: number; enabled: boolean };

/** Normalises a line; one without criteria is refused, because it would match nothing without its author noticing. */
function normalisedLine(line: SoftwareRuleDto, at: number): SoftwareRuleDto {
  const fields = [line.sha256, line.signer, line.publisher, line.pathGlob];
  if (fields.every((field) => field === undefined || field === null))
    throw invalid(`rules.${at}`, 'needs at least one of sha256, signer, publisher and pathGlob');
  const [signer, publisher, pathGlob] = [line.signer, line.publisher, line.pathGlob].map(
    (text) => text?.trim() ?? text,
  );
  return { ...line, name: line.name.trim(), sha256: line.sha256?.toLowerCase(), signer, publisher, pathGlob };
}

/** The stored values of a policy whose target is at the place. */
const policyValuesAt = (
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
  rules: rules.map(normalisedLine),
});

@Injectable()
export class SoftwarePoliciesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly softwarePolicies: SoftwarePoliciesRepository,
    private readonly policyTargets: PolicyTargets,
    private readonly linter: RuleLinter,
    private readonly writableSoftwarePolicies: WritableSoftwarePolicies,
  ) {}

  async list(caller: UserCaller, { orgId, ...paging }: OrgListQuery): Promise<SoftwarePoliciesResponse> {
    const page = pageNamedBy(paging);
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.softwarePolicies.list(reader, caller.scope, orgId, page),
    );
    return { success: true, softwarePolicies: rows.map(softwarePolicyView), ...paginationOf(page, total) };
  }

  async get(caller: UserCaller, id: string): Promise<SoftwarePolicyRecord> {
    const row = await this.work.read(caller, (reader) => this.softwarePolicies.find(reader, caller.scope, id));
    if (!row) throw new ProblemError('software_policy_not_found', 'There is no such software policy.');
    return softwarePolicyView(row);
  }

  create(
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
        details: {
          mode: policy.mode,
          target: draft.target,
          changes: changesOf(null, softwarePolicyView(policy), POLICY_FIELDS),
        },
      });
      return softwarePolicyView(policy);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateSoftwarePolicyDto): Promise<SoftwarePolicyRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { known, place } = await this.writableSoftwarePolicies.lock(tx, caller, id);
      // The target is checked only when it changes, so that a policy whose target was deleted can still be disabled.
      const newPlace = changes.target ? await this.policyTargets.require(tx, caller, changes.target) : place;
      const values = policyValuesAt(newPlace, { ...softwarePolicyView(known), ...changes });
      const policy = await this.softwarePolicies.update(tx, id, values);
      const hasMoved = policy.orgId !== known.orgId || policy.partnerId !== known.partnerId;
      const changed = { kind: 'software_policy', ids: [id], editedBy: caller.userId } as const;
      await bumpRulebooks(tx, hasMoved ? [policy, known] : [policy], [changed]);
      if (hasMoved) await requireRulebookCapacity(tx, 'software_policies', policy);
      await this.linter.requireSafePolicy(tx, policy);
      tx.audit({
        ...auditSubject(policy),
        action: 'pam.software_policy.update',
        details: changeDetails(softwarePolicyView(known), softwarePolicyView(policy), changes),
      });
      return softwarePolicyView(policy);
    });
  }

  delete(caller: UserCaller, id: string): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const { known } = await this.writableSoftwarePolicies.lock(tx, caller, id);
      await this.softwarePolicies.delete(tx, id);
      await bumpRulebook(tx, known, { kind: 'software_policy', ids: [id], editedBy: caller.userId });
      const changes = changesOf(softwarePolicyView(known), null, POLICY_FIELDS);
      tx.audit({ ...auditSubject(known), action: 'pam.software_policy.delete', details: { changes } });
    });
  }
}
