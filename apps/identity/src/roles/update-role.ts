import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { RoleResponse, UpdateRoleDto } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireGrantable } from '../grants/grantable.ts';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { auditRole } from './audit-role.ts';
import { FindChangeableRole } from './find-changeable-role.ts';
import { RolesRepository } from './roles.repository.ts';

/** PATCH /roles/:id. A caller cannot give a role more permissions than they hold themselves. */
@Injectable()
export class UpdateRole {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rolesRepository: RolesRepository,
    private readonly findChangeableRole: FindChangeableRole,
    private readonly technicianFeed: TechnicianFeed,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
  ) {}

  execute(caller: UserCaller, id: string, input: UpdateRoleDto): Promise<RoleResponse> {
    const { updates: changes, named } = partUpdates(input, ['axis', 'partnerId', 'orgId']);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const role = await this.findChangeableRole.execute(tx, caller, id);
      requireSame(named, role);
      const changed = { ...role, ...changes, version: role.version + 1 };
      requireGrantable(caller, changed.permissions);
      await this.rolesRepository.update(tx, changed);
      await this.publishHolders(tx, id);
      auditRole(tx, 'role.update', { before: role, after: changed });
      return { data: changed };
    });
  }

  /** Publishes the new state of every user with this role: its permissions change for them at once. */
  private async publishHolders(tx: Tx, id: string): Promise<void> {
    const userIds = await this.rolesRepository.userIdsOf(tx, id);
    if (userIds.length === 0) return;
    await this.technicianFeed.publish(tx, userIds);
    await this.withdrawDeadOffers.ofAuthors(tx, userIds);
    publishPrincipalsChanged(tx, id, 'userIds', userIds);
  }
}
