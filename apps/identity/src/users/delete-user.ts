import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { withdrawUnbackedOffers } from '../offers/offers.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { ChangeInvitation } from './change-invitation.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';

/**
 * DELETE /users/:id deletes the memberships within the caller's reach, and the account together with its last
 * membership. For an open invitation, it withdraws the invitation.
 */
@Injectable()
export class DeleteUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipGrants,
    private readonly technicians: TechnicianFeed,
    private readonly offers: ChangeInvitation,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId) throw new ProblemError('conflict', 'You cannot delete yourself.');
    await this.work.run(caller, async (tx): Promise<void> => {
      await this.users.lock(tx, id);
      const user = await this.users.find(tx, caller.scope, id);
      if (!user) return this.withdraw(tx, caller, id);
      await this.memberships.requireMayChange(tx, caller, user.memberships);
      const whole = await this.remove(tx, user);
      await withdrawUnbackedOffers(tx, [id]);
      publishPrincipalsChanged(tx, id, 'userIds', [id]);
      tx.audit({
        action: 'user.delete',
        resource: { type: 'user', id, name: user.email },
        ...tenantOf(user.memberships),
        details: { account: whole ? 'deleted' : 'kept' },
      });
    });
    return { success: true };
  }

  private async withdraw(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const offer = await this.offers.withdraw(tx, caller, id);
    if (!offer) throw new ProblemError('user_not_found', 'There is no such user.');
    tx.audit({
      action: 'user.delete',
      resource: { type: 'user', id, name: offer.email },
      ...tenantOf(offer.memberships),
      details: { account: 'invited' },
    });
  }

  /** @returns whether the account was deleted too */
  private async remove(tx: Tx, user: StoredUser): Promise<boolean> {
    const { id, memberships } = user;
    const whole = (await this.users.membershipCount(tx, id)) === memberships.length;
    if (whole) {
      await this.users.delete(tx, id);
      this.technicians.withdraw(tx, { userId: id, ...user });
    } else {
      await this.users.removeMemberships(
        tx,
        memberships.map((membership) => membership.id),
      );
      await this.technicians.publish(tx, [id]);
    }
    return whole;
  }
}
