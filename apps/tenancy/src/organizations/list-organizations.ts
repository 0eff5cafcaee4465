import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationQuery, OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from './organizations.repository.ts';

@Injectable()
export class ListOrganizations {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
  ) {}

  /** @throws ProblemError partner_access_denied if a partner requests the organisations of another */
  execute(caller: UserCaller, query: OrganizationQuery): Promise<Page<OrganizationResponse>> {
    if (query.partnerId && caller.level !== 'system' && query.partnerId !== caller.partnerId)
      throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
    return this.work.read(caller, (reader) => this.organizationsRepository.list(reader, caller, query));
  }
}
