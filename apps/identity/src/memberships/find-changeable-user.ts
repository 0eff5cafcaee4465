import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';
import { MembershipGrants } from './membership-grants.ts';

/** Locks a user whom the caller wants to change, and checks that the caller may change all memberships within reach. */
@Injectable()
export class FindChangeableUser {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly membershipGrants: MembershipGrants,
  ) {}

  /**
   * @returns null when the caller's reach has no such user
   * @throws ProblemError role_not_grantable; those of the reach
   */
  async execute(tx: Tx, caller: UserCaller, id: string): Promise<StoredUser | null> {
    await this.usersRepository.lock(tx, id);
    const user = await this.usersRepository.find(tx, caller.scope, id);
    if (user) await this.membershipGrants.requireMayChange(tx, caller, user.memberships);
    return user;
  }
}
