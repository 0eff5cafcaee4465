import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { UserRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type GrantedPlacement, type NewMembership, REACH_PROBLEMS } from '../grants/placement.ts';
import { type StoredUser, UsersRepository } from '../users.repository.ts';
import { TechnicianFeed } from '../../sessions/technicians/technicians.service.ts';
import { type BreakGlassOwner, BreakGlassRepository, MembershipsRepository } from './memberships.repository.ts';
import { MembershipGrants } from './membership-grants.ts';

/** Per owner: enough to get in while the identity provider is down, few enough to watch. */
export const MAX_BREAK_GLASS = 2;

/** What {@link MembershipsService.findChangeableUser} refuses, and that there is no such user. */
export const CHANGEABLE_USER_PROBLEMS = ['user_not_found', 'role_not_grantable', ...REACH_PROBLEMS] as const;

@Injectable()
export class MembershipsService {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly membershipGrants: MembershipGrants,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly technicianFeed: TechnicianFeed,
    private readonly breakGlassRepository: BreakGlassRepository,
  ) {}

  /** Gives another membership to a user within the caller's reach. */
  async add(tx: Tx, caller: UserCaller, userId: string, admitted: GrantedPlacement): Promise<UserRecord> {
    await this.joinTenant(tx, userId, { id: newId(), ...admitted });
    const user = await this.usersRepository.find(tx, caller.scope, userId);
    if (!user) throw new Error('a user who was just added is out of reach');
    if (user.breakGlass) await this.requireBreakGlassLimit(tx, userId, [admitted]);
    return user;
  }

  /**
   * Locks a user whom the caller wants to change, and checks that the caller may change all memberships within reach.
   * @returns null when the caller's reach has no such user
   * @throws ProblemError role_not_grantable; those of the reach
   */
  async findChangeableUser(tx: Tx, caller: UserCaller, id: string): Promise<StoredUser | null> {
    await this.usersRepository.lock(tx, id);
    const user = await this.usersRepository.find(tx, caller.scope, id);
    if (user) await this.membershipGrants.requireMayChange(tx, caller, user.memberships);
    return user;
  }

  /**
   * Adds a membership to a user and publishes the user's new state. Sessions in other memberships continue, even if the
   * new membership is under enforcement.
   * @throws ProblemError email_taken when the user already has a membership in this tenant
   */
  async joinTenant(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    await this.membershipsRepository.insert(tx, userId, membership);
    await this.technicianFeed.publish(tx, [userId]);
  }

  /**
   * Decisions, "enforcement safety": each owner has at most two break-glass users, however they became members.
   * @param userId a user who is a break-glass user or becomes one
   */
  async requireBreakGlassLimit(tx: Tx, userId: string, owners: readonly BreakGlassOwner[]): Promise<void> {
    for (const owner of owners)
      if ((await this.breakGlassRepository.countOthers(tx, owner, userId)) >= MAX_BREAK_GLASS)
        throw new ProblemError('break_glass_limit_reached', `There are already ${MAX_BREAK_GLASS} break-glass users.`);
  }
}
