import { ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ApprovalLevelDto,
  ApprovalLevelsChanged,
  type ApprovalPolicyRecord,
  type UpdateApprovalPolicyDto,
} from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { auditSettings } from '../tenants/org-settings.ts';
import { type Organization, OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { PamConfig } from '../pam.config.ts';
import {
  ApprovalPolicyRepository,
  type ApprovalPolicyRow,
  type ApprovalPolicyValues,
} from './approval-policy.repository.ts';

/** @param ttlMinutes how long requests wait where the policy does not say */
const approvalPolicyView = (row: ApprovalPolicyRow, ttlMinutes: number): ApprovalPolicyRecord => ({
  orgId: row.orgId,
  levels: row.levels,
  default: { approvals: row.defaultApprovals, pendingMinutes: row.defaultPendingMinutes ?? ttlMinutes },
  separation: { ruleEditors: row.ruleEditors, aiRequester: row.aiRequester },
  version: row.version,
});

/** The name that stands for the default among the levels in a problem. */
const DEFAULT_LEVEL = 'default';

const given = <T>(list: readonly T[] | undefined): T[] | undefined => (list?.length ? [...new Set(list)] : undefined);

/** The policy as it is stored: members that restrict nothing are absent. */
const valuesOf = ({ levels = [], default: standard, separation }: UpdateApprovalPolicyDto): ApprovalPolicyValues => ({
  levels: levels.map(({ flowTypes, deviceGroupIds, siteIds, ...level }) => ({
    ...level,
    name: level.name.trim(),
    flowTypes: given(flowTypes),
    deviceGroupIds: given(deviceGroupIds),
    siteIds: given(siteIds),
  })),
  defaultApprovals: standard?.approvals ?? 1,
  defaultPendingMinutes: standard?.pendingMinutes ?? null,
  ruleEditors: separation?.ruleEditors ?? false,
  aiRequester: separation?.aiRequester ?? false,
});

@Injectable()
export class ApprovalPolicyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly approvalPolicy: ApprovalPolicyRepository,
    private readonly config: PamConfig,
  ) {}

  get(caller: UserCaller, named: string | undefined): Promise<ApprovalPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return approvalPolicyView(await this.approvalPolicy.find(reader, orgId), this.config.pamPendingTtlMinutes);
    });
  }

  /** Replaces an organisation's approval policy (PAM-180). Requests that are pending keep the terms of their time. */
  update(caller: UserCaller, update: UpdateApprovalPolicyDto): Promise<ApprovalPolicyRecord> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      const before = await this.approvalPolicy.find(tx, organization.orgId);
      requireVersion(caller, before.version);
      await this.requireOwnPlaces(tx, organization, values.levels);
      await this.requireApprovers(tx, organization, values);
      const row = await this.approvalPolicy.save(tx, organization, values);
      await bumpRulebook(tx, organization, { kind: 'approval_policy', ids: [row.orgId], editedBy: caller.userId });
      const groupIds = [...new Set(row.levels.flatMap((level) => level.deviceGroupIds ?? []))];
      const { orgId, partnerId } = organization;
      tx.emit(ApprovalLevelsChanged, { orgId, partnerId, groupIds, version: row.version }, { aggregateId: orgId });
      const policy = approvalPolicyView(row, this.config.pamPendingTtlMinutes);
      auditSettings(tx, 'pam.approval_policy', organization, {
        before: approvalPolicyView(before, this.config.pamPendingTtlMinutes),
        after: policy,
      });
      return policy;
    });
  }

  private async requireOwnPlaces(
    tx: Tx,
    organization: Organization,
    levels: readonly ApprovalLevelDto[],
  ): Promise<void> {
    if (!(await this.approvalPolicy.hasSites(tx, organization, levels)))
      throw new ProblemError('site_not_in_org', 'A site of a level does not belong to the organisation.');
    if (!(await this.approvalPolicy.hasGroups(tx, organization, levels)))
      throw new ProblemError('target_not_found', 'A device group of a level does not belong to the organisation.');
  }

  /** One person more than a level asks for has to be there, because one of them may be the requester. */
  private async requireApprovers(tx: Tx, organization: Organization, values: ApprovalPolicyValues): Promise<void> {
    const whole = { name: DEFAULT_LEVEL, approvals: values.defaultApprovals, siteIds: undefined };
    for (const { name: level, approvals, siteIds } of [...values.levels, whole]) {
      if (approvals === 1) continue;
      const eligible = await this.approvalPolicy.eligible(tx, organization, siteIds ?? []);
      if (eligible <= approvals)
        throw new ProblemError(
          'approvers_insufficient',
          `“${level}” asks for ${approvals} approvals, which takes ${approvals + 1} people; there are ${eligible}.`,
          { level, eligible },
        );
    }
  }
}
