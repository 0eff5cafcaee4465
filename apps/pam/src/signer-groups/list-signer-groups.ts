import { pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { OrgListQuery, SignerGroupsResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { paginationOf } from '../paging/list-answer.ts';
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
  execute(caller: UserCaller, { orgId, ...paging }: OrgListQuery): Promise<SignerGroupsResponse> {
    const page = pageNamedBy(paging);
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      const { rows, total } = await this.signerGroups.list(reader, organization.orgId, page);
      return { success: true, signerGroups: rows.map(signerGroupView), ...paginationOf(page, total) };
    });
  }
}
