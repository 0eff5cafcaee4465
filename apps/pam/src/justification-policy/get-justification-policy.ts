import type { UserCaller } from '@gatehouse/contracts-core';
import type { JustificationPolicyRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { JustificationPolicyRepository } from './justification-policy.repository.ts';

@Injectable()
export class GetJustificationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly justificationPolicy: JustificationPolicyRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, named: string | undefined): Promise<JustificationPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.justificationPolicy.find(reader, orgId);
    });
  }
}
