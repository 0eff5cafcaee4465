import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';
import { auditRole } from './audit-role.ts';
import { FindChangeableRole } from './find-changeable-role.ts';
import { RolesRepository } from './roles.repository.ts';

/** DELETE /roles/:id, for a role that no user holds and no open invitation offers. */
@Injectable()
export class DeleteRole {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rolesRepository: RolesRepository,
    private readonly findChangeableRole: FindChangeableRole,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const role = await this.findChangeableRole.execute(tx, caller, id);
      await this.withdrawDeadOffers.ofRole(tx, id);
      await this.rolesRepository.delete(tx, id);
      auditRole(tx, 'role.delete', { before: role, after: null });
    });
    return { success: true };
  }
}
