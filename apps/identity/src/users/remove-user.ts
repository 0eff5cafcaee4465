import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MembershipsRepository } from '../memberships/memberships.repository.ts';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';

/** Deletes the memberships of a user within the caller's reach, and the account together with its last membership. */
@Injectable()
export class RemoveUser {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly technicianFeed: TechnicianFeed,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
  ) {}

  /** @returns whether the account was deleted too */
  async execute(tx: Tx, user: StoredUser): Promise<boolean> {
    const { id, memberships } = user;
    const isWhole = (await this.membershipsRepository.countOfUser(tx, id)) === memberships.length;
    if (isWhole) {
      await this.usersRepository.delete(tx, id);
      this.technicianFeed.withdraw(tx, { userId: id, ...user });
    } else {
      const membershipIds = memberships.map((membership) => membership.id);
      await this.membershipsRepository.delete(tx, membershipIds);
      await this.technicianFeed.publish(tx, [id]);
    }
    await this.withdrawDeadOffers.ofAuthors(tx, [id]);
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    return isWhole;
  }
}
