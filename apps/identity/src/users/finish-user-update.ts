import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RequireBreakGlassLimit } from '../memberships/require-break-glass-limit.ts';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';
import { type StoredUser, UsersRepository } from '../people/users.repository.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';

export const userNotFound = (): ProblemError => new ProblemError('user_not_found', 'There is no such user.');

/** Publishes a changed user, and ends what the user's former rights permitted: invitations and sessions. */
@Injectable()
export class FinishUserUpdate {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly technicianFeed: TechnicianFeed,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly revokeSessions: RevokeSessions,
    private readonly requireBreakGlassLimit: RequireBreakGlassLimit,
  ) {}

  /** @param before the user as found before the change @throws ProblemError break_glass_limit_reached */
  async execute(tx: Tx, caller: UserCaller, before: StoredUser): Promise<StoredUser> {
    const { id } = before;
    await this.technicianFeed.publish(tx, [id]);
    await this.withdrawDeadOffers.ofAuthors(tx, [id]);
    await this.revokeSessions.ofNewlyGoverned(tx, [id]);
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    const changed = await this.usersRepository.find(tx, caller.scope, id);
    if (!changed) throw userNotFound();
    if (changed.breakGlass) await this.requireBreakGlassLimit.execute(tx, id, newOwners(before, changed));
    return changed;
  }
}

/** The memberships in which the user was not a break-glass user before. */
function newOwners(before: StoredUser, { memberships }: StoredUser): StoredUser['memberships'] {
  const counted = before.breakGlass ? before.memberships.map(({ id }) => id) : [];
  return memberships.filter(({ id }) => !counted.includes(id));
}
