import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateRoleDto, RoleResponse } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrantable } from '../grants/grantable.ts';
import { auditRole } from './audit-role.ts';
import { FindRoleOwner } from './find-role-owner.ts';
import { RolesRepository } from './roles.repository.ts';

/** POST /roles. A caller cannot give a role more permissions than they hold themselves. */
@Injectable()
export class CreateRole {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rolesRepository: RolesRepository,
    private readonly findRoleOwner: FindRoleOwner,
  ) {}

  execute(caller: UserCaller, input: CreateRoleDto): Promise<RoleResponse> {
    const permissions = [...new Set(input.permissions)];
    requireGrantable(caller, permissions);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.findRoleOwner.execute(tx, caller, input);
      const role = { id: newId(), name: input.name, axis: input.axis, permissions, ...owner };
      await this.rolesRepository.insert(tx, role);
      auditRole(tx, 'role.create', { before: null, after: role });
      return { data: { ...role, system: false, version: 1 } };
    });
  }
}
