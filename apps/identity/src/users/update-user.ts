import { invalid, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipDto, MembershipRecord, UpdateUserDto, UserResponse } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { withdrawUnbackedOffers } from '../offers/offers.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { requireBreakGlassRoom } from '../memberships/break-glass.ts';
import { ChangeInvitation } from './change-invitation.ts';
import { MembershipGrants, placementIn } from '../memberships/membership-grants.ts';
import { sameTarget } from '../grants/placement.ts';
import { recordOf, type StoredUser, UsersRepository } from '../people/users.repository.ts';

const notFound = (): ProblemError => new ProblemError('user_not_found', 'There is no such user.');

/**
 * PATCH /users/:id. The name and the break-glass flag belong to the whole account and change only when all of the
 * user's memberships are within the caller's reach. A suspension applies to the memberships within reach; only in
 * system scope does it apply to the whole account.
 */
@Injectable()
export class UpdateUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipGrants,
    private readonly revocation: RevokeSessions,
    private readonly offers: ChangeInvitation,
  ) {}

  execute(caller: UserCaller, id: string, input: UpdateUserDto): Promise<UserResponse> {
    const { membership, ...own } = requireUpdates(input);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.users.lock(tx, id);
      const user = await this.users.find(tx, caller.scope, id);
      if (!user) return this.changeOffer(tx, caller, id, input);
      await this.memberships.requireMayChange(tx, caller, user.memberships);
      if (Object.keys(own).length > 0) await this.change(tx, caller, user, own);
      if (membership) await this.move(tx, caller, user, membership);
      return this.finish(tx, caller, user, Object.keys(requireUpdates(input)));
    });
  }

  private async changeOffer(tx: Tx, caller: UserCaller, id: string, input: UpdateUserDto): Promise<UserResponse> {
    const offer = await this.offers.update(tx, caller, id, input);
    if (!offer) throw notFound();
    tx.audit({
      action: 'user.update',
      resource: { type: 'user', id, name: offer.email },
      ...tenantOf(offer.memberships),
      details: { changedFields: Object.keys(requireUpdates(input)) },
    });
    return { data: recordOf(offer) };
  }

  private async change(
    tx: Tx,
    caller: UserCaller,
    user: StoredUser,
    { status, ...personal }: Omit<UpdateUserDto, 'membership'>,
  ): Promise<void> {
    if (Object.keys(personal).length > 0) await this.changePerson(tx, user, personal);
    if (status) await this.suspend(tx, caller, user, status === 'suspended');
  }

  private async changePerson(
    tx: Tx,
    user: StoredUser,
    personal: Pick<UpdateUserDto, 'name' | 'breakGlass'>,
  ): Promise<void> {
    if ((await this.users.membershipCount(tx, user.id)) > user.memberships.length)
      throw new ProblemError(
        'partner_access_denied',
        'This person also belongs to tenants that you do not reach; only the membership can be changed.',
      );
    if (personal.breakGlass && !user.mfaEnrolled)
      throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    await this.users.update(tx, { ...user, ...personal });
    if (personal.breakGlass) await this.revocation.ofUnlinkedProviders(tx, user.id);
  }

  private async suspend(
    tx: Tx,
    { userId, level }: UserCaller,
    { id, memberships }: StoredUser,
    suspended: boolean,
  ): Promise<void> {
    if (suspended && id === userId) throw new ProblemError('conflict', 'You cannot suspend yourself.');
    await this.users.suspendMemberships(
      tx,
      memberships.map((membership) => membership.id),
      suspended,
    );
    if (level === 'system') await this.users.suspendAccount(tx, id, suspended);
    if (!suspended) return;
    for (const membership of memberships)
      await this.revocation.ofUser(tx, id, 'suspended', { membershipId: membership.id });
  }

  /** Changes the membership in the same tenant. Without one, replaces the only membership within reach. */
  private async move(tx: Tx, caller: UserCaller, { id, memberships }: StoredUser, input: MembershipDto): Promise<void> {
    const admitted = await this.memberships.admit(tx, caller, input);
    const there = memberships.find((membership) => sameTarget(placementIn(membership), admitted));
    if (there) return this.users.updateMembership(tx, there.id, admitted);
    await this.users.removeMemberships(tx, [onlyOne(memberships).id]);
    await this.users.addMembership(tx, { id: newId(), userId: id, ...admitted });
  }

  private async finish(
    tx: Tx,
    caller: UserCaller,
    { id, email, breakGlass, memberships }: StoredUser,
    changedFields: string[],
  ): Promise<UserResponse> {
    await this.memberships.technicians.publish(tx, [id]);
    await withdrawUnbackedOffers(tx, [id]);
    await this.revocation.ofNewlyGoverned(tx, [id]);
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    const changed = await this.users.find(tx, caller.scope, id);
    if (!changed) throw notFound();
    const counted = breakGlass ? memberships.map((membership) => membership.id) : [];
    if (changed.breakGlass)
      await requireBreakGlassRoom(
        tx,
        id,
        changed.memberships.filter((membership) => !counted.includes(membership.id)),
      );
    tx.audit({
      action: 'user.update',
      resource: { type: 'user', id, name: email },
      ...tenantOf(changed.memberships),
      details: { changedFields },
    });
    return { data: recordOf(changed) };
  }
}

function onlyOne(memberships: readonly MembershipRecord[]): MembershipRecord {
  const [only, second] = memberships;
  if (!only || second)
    throw invalid('membership', 'is none of the memberships that this person has; add it by inviting them there');
  return only;
}
