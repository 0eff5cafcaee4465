import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from './organizations.repository.ts';

/** Lists every organisation in the caller's reach, by name, without pages. */
@Injectable()
export class ListAllOrganizations {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
  ) {}

  execute(caller: UserCaller): Promise<OrganizationResponse[]> {
    return this.work.read(caller, (reader) => this.organizationsRepository.listAll(reader, caller));
  }
}
