import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { tenantOf } from '../people/tenant-of.ts';
import { ChangeInvitation } from '../invitations/change-invitation.ts';
import { FindChangeableUser } from '../memberships/find-changeable-user.ts';
import { userNotFound } from './finish-user-update.ts';
import { RemoveUser } from './remove-user.ts';

/**
 * DELETE /users/:id deletes the memberships within the caller's reach, and the account together with its last
 * membership. For an open invitation, it withdraws the invitation.
 */
@Injectable()
export class DeleteUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly findChangeableUser: FindChangeableUser,
    private readonly removeUser: RemoveUser,
    private readonly changeInvitation: ChangeInvitation,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId) throw new ProblemError('conflict', 'You cannot delete yourself.');
    await this.work.run(caller, async (tx): Promise<void> => {
      const user = await this.findChangeableUser.execute(tx, caller, id);
      if (!user) return this.withdraw(tx, caller, id);
      const isWhole = await this.removeUser.execute(tx, user);
      tx.audit({
        action: 'user.delete',
        resource: { type: 'user', id, name: user.email },
        ...tenantOf(user.memberships),
        details: { account: isWhole ? 'deleted' : 'kept' },
      });
    });
    return { success: true };
  }

  private async withdraw(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const offer = await this.changeInvitation.withdraw(tx, caller, id);
    if (!offer) throw userNotFound();
    tx.audit({
      action: 'user.delete',
      resource: { type: 'user', id, name: offer.email },
      ...tenantOf(offer.memberships),
      details: { account: 'invited' },
    });
  }
}
