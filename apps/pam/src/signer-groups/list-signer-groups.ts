import { pageNamedBy, type UserCaller } from '@gatehouse/contracts-core';
import type { SignerGroupsQuery, SignerGroupsResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Owners } from '../organizations/owners.ts';
import { paginationOf } from '../paging/list-answer.ts';
import { signerGroupView } from './signer-group.view.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';

@Injectable()
export class ListSignerGroups {
  constructor(
    private readonly work: UnitOfWork,
    private readonly owners: Owners,
    private readonly signerGroups: SignerGroupsRepository,
  ) {}

  /** @throws ProblemError as {@link Owners} */
  execute(
    caller: UserCaller,
    { scope, orgId, partnerId, ...paging }: SignerGroupsQuery,
  ): Promise<SignerGroupsResponse> {
    const page = pageNamedBy(paging);
    const named = { ...(scope && { ownerScope: scope }), ...(orgId && { orgId }), ...(partnerId && { partnerId }) };
    return this.work.read(caller, async (reader) => {
      const owner = await this.owners.requireReadable(reader, caller, named);
      const { rows, total } = await this.signerGroups.list(reader, owner, page);
      return { success: true, signerGroups: rows.map(signerGroupView), ...paginationOf(page, total) };
    });
  }
}
