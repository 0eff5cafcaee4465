import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { organizationView } from './organization.view.ts';
import { OrganizationsRepository } from './organizations.repository.ts';

@Injectable()
export class GetOrganization {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
  ) {}

  /** @throws ProblemError organization_not_found */
  async execute(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    const read = this.work.read(caller, (reader) => this.organizationsRepository.get(reader, caller, id));
    return organizationView(await read);
  }
}
