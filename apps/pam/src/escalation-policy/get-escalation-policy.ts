import type { UserCaller } from '@gatehouse/contracts-core';
import type { EscalationPolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { EscalationPolicyRepository } from './escalation-policy.repository.ts';

@Injectable()
export class GetEscalationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly escalationPolicy: EscalationPolicyRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, named: string | undefined): Promise<EscalationPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.escalationPolicy.find(reader, orgId);
    });
  }
}
