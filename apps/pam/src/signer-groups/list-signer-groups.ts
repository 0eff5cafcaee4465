import type { UserCaller } from '@gatehouse/contracts-core';
import type { SignerGroupRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { signerGroupView } from './signer-group.view.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';

@Injectable()
export class ListSignerGroups {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly signerGroups: SignerGroupsRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, orgId: string | undefined): Promise<SignerGroupRecord[]> {
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      return (await this.signerGroups.list(reader, organization.orgId)).map(signerGroupView);
    });
  }
}
