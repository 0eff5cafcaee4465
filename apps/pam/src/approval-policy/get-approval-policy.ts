import type { UserCaller } from '@gatehouse/contracts-core';
import type { ApprovalPolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { PamConfig } from '../pam.config.ts';
import { ApprovalPolicyRepository } from './approval-policy.repository.ts';
import { approvalPolicyView } from './approval-policy.view.ts';

@Injectable()
export class GetApprovalPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly approvalPolicy: ApprovalPolicyRepository,
    private readonly config: PamConfig,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, named: string | undefined): Promise<ApprovalPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return approvalPolicyView(await this.approvalPolicy.find(reader, orgId), this.config.pamPendingTtlMinutes);
    });
  }
}
