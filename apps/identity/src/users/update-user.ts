import { changesOf, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { UpdateUserDto, UserResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ChangeInvitation, type ChangedUser } from '../invitations/change-invitation.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { recordOf } from '../people/users.repository.ts';
import { ChangeAccount } from './change-account.ts';
import { ChangeMembership } from './change-membership.ts';
import { FindChangeableUser } from '../memberships/find-changeable-user.ts';
import { FinishUserUpdate, userNotFound } from './finish-user-update.ts';

/** What says who a user is and what they may do where. */
const AUTHORITY_FIELDS = ['name', 'status', 'breakGlass', 'memberships'];

/**
 * PATCH /users/:id. The name and the break-glass flag belong to the whole account and change only when all of the
 * user's memberships are within the caller's reach. A suspension applies to the memberships within reach; only in
 * system scope does it apply to the whole account. For an open invitation, it changes the invitation.
 */
@Injectable()
export class UpdateUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly findChangeableUser: FindChangeableUser,
    private readonly changeAccount: ChangeAccount,
    private readonly changeMembership: ChangeMembership,
    private readonly finishUserUpdate: FinishUserUpdate,
    private readonly changeInvitation: ChangeInvitation,
  ) {}

  execute(caller: UserCaller, id: string, input: UpdateUserDto): Promise<UserResponse> {
    const changes = requireUpdates(input);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const changed =
        (await this.update(tx, caller, id, changes)) ?? (await this.changeInvitation.update(tx, caller, id, input));
      if (!changed) throw userNotFound();
      tx.audit({
        action: 'user.update',
        resource: { type: 'user', id, name: changed.after.email },
        ...tenantOf(changed.after.memberships),
        details: {
          changedFields: Object.keys(changes),
          changes: changesOf(changed.before, changed.after, AUTHORITY_FIELDS),
        },
      });
      return { data: recordOf(changed.after) };
    });
  }

  /** @returns null when the caller's reach has no such user */
  private async update(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { membership, ...own }: UpdateUserDto,
  ): Promise<ChangedUser | null> {
    const user = await this.findChangeableUser.execute(tx, caller, id);
    if (!user) return null;
    if (Object.keys(own).length > 0) await this.changeAccount.execute(tx, caller, user, own);
    if (membership) await this.changeMembership.execute(tx, caller, user, membership);
    return { before: user, after: await this.finishUserUpdate.execute(tx, caller, user) };
  }
}
