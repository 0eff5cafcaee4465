import { ProblemError, requireVersion, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { RoleRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrantable } from '../grants/grantable.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireWholePartner } from './find-role-owner.ts';
import { RolesRepository } from './roles.repository.ts';

/** Locks a role that the caller wants to change or delete, and checks that they may. */
@Injectable()
export class FindChangeableRole {
  constructor(private readonly rolesRepository: RolesRepository) {}

  /**
   * @throws ProblemError role_not_found, permission_denied, scope_denied, site_access_denied, role_not_grantable,
   * organization_frozen, version_conflict
   */
  async execute(tx: Tx, caller: UserCaller, id: string): Promise<RoleRecord> {
    await this.rolesRepository.lock(tx, id);
    const role = await this.rolesRepository.find(tx, caller.scope, id);
    if (!role) throw new ProblemError('role_not_found', 'There is no such role.');
    if (role.system) throw new ProblemError('permission_denied', 'The roles of the product cannot be changed.');
    if (role.orgId === null) requireWholePartner(caller);
    else requireWholeOrganization(caller);
    requireGrantable(caller, role.permissions);
    await requireNotFrozen(tx, role.orgId);
    requireVersion(caller, role.version);
    return role;
  }
}
