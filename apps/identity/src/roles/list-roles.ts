import type { UserCaller } from '@gatehouse/contracts-core';
import type { ListRolesQuery, RoleListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RolesRepository } from './roles.repository.ts';

/** GET /roles: the roles of the product, of the caller's partner and of the caller's organisations. */
@Injectable()
export class ListRoles {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rolesRepository: RolesRepository,
  ) {}

  async execute(caller: UserCaller, { axis }: ListRolesQuery): Promise<RoleListResponse> {
    return { data: await this.work.read(caller, (reader) => this.rolesRepository.list(reader, caller.scope, axis)) };
  }
}
