import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { UpdateUserDto } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MembershipsRepository } from '../memberships/memberships.repository.ts';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

/** Changes the name, the break-glass flag or the status of a user. */
@Injectable()
export class ChangeAccount {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws ProblemError partner_access_denied, validation_failed, conflict */
  async execute(
    tx: Tx,
    caller: UserCaller,
    user: StoredUser,
    { status, ...personal }: Omit<UpdateUserDto, 'membership'>,
  ): Promise<void> {
    if (Object.keys(personal).length > 0) await this.changePersonal(tx, user, personal);
    if (status) await this.suspend(tx, caller, user, status === 'suspended');
  }

  private async changePersonal(
    tx: Tx,
    user: StoredUser,
    personal: Pick<UpdateUserDto, 'name' | 'breakGlass'>,
  ): Promise<void> {
    if ((await this.membershipsRepository.countOfUser(tx, user.id)) > user.memberships.length)
      throw new ProblemError(
        'partner_access_denied',
        'This person also belongs to tenants that you do not reach; only the membership can be changed.',
      );
    if (personal.breakGlass && !user.mfaEnrolled)
      throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    await this.usersRepository.update(tx, { ...user, ...personal });
    if (personal.breakGlass) await this.revokeSessions.ofUnlinkedProviders(tx, user.id);
  }

  private async suspend(
    tx: Tx,
    { userId, level }: UserCaller,
    { id, memberships }: StoredUser,
    suspended: boolean,
  ): Promise<void> {
    if (suspended && id === userId) throw new ProblemError('conflict', 'You cannot suspend yourself.');
    const membershipIds = memberships.map((membership) => membership.id);
    await this.membershipsRepository.suspend(tx, membershipIds, suspended);
    if (level === 'system') await this.usersRepository.suspend(tx, id, suspended);
    if (!suspended) return;
    for (const membershipId of membershipIds) await this.revokeSessions.ofUser(tx, id, 'suspended', { membershipId });
  }
}
