import { changesOf, invalid, paged, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type {
  DoneResponse,
  InviteUserDto,
  ListUsersQuery,
  MembershipDto,
  MembershipRecord,
  UpdateUserDto,
  UserPageResponse,
  UserRecord,
  UserResponse,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type GrantedPlacement, PLACE_FIELDS, placementIn, sameTarget } from '../../people/grants/placement.ts';
import { type ChangedUser, ChangeInvitation } from '../../invitations/change-invitation.ts';
import { type InvitedUser, InvitationsService } from '../../invitations/invitations.service.ts';
import { MembershipGrants } from '../../people/memberships/membership-grants.ts';
import { MembershipsRepository } from '../../people/memberships/memberships.repository.ts';
import { MembershipsService } from '../../people/memberships/memberships.service.ts';
import { OffersRepository } from '../../people/offers/offers.repository.ts';
import { WithdrawDeadOffers } from '../../people/offers/withdraw-dead-offers.ts';
import { OwnFactorsService } from '../../sign-in/own-factors/own-factors.service.ts';
import { foldEmail } from '@gatehouse/identity-domain';
import { tenantOf } from '../../people/accounts.repository.ts';
import { recordOf, type StoredUser, UsersRepository } from '../../people/users.repository.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { TechnicianFeed } from '../../sessions/technicians/technicians.service.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

/** What says who a user is and what they may do where. */
const AUTHORITY_FIELDS = ['name', 'status', 'breakGlass', 'memberships'];

function onlyOne(memberships: readonly MembershipRecord[]): MembershipRecord {
  const [only, second] = memberships;
  if (!only || second)
    throw invalid('membership', 'is none of the memberships that this person has; add it by inviting them there');
  return only;
}

const offerIn = ({ status, memberships: [only] }: UserRecord) =>
  only ? { ...placementIn(only), roleId: only.roleId, status } : null;

/** The user with those memberships alone that `other` lacks: what another tenant gave is not on a tenant's record. */
const withChanged = (user: UserRecord, other: UserRecord): UserRecord => ({
  ...user,
  memberships: user.memberships.filter((one) => !other.memberships.some((known) => isDeepStrictEqual(known, one))),
});

const userNotFound = (): ProblemError => new ProblemError('user_not_found', 'There is no such user.');

/** The memberships in which the user was not a break-glass user before. */
function newOwners(before: StoredUser, { memberships }: StoredUser): StoredUser['memberships'] {
  const counted = before.breakGlass ? before.memberships.map(({ id }) => id) : [];
  return memberships.filter(({ id }) => !counted.includes(id));
}

@Injectable()
export class UsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly offersRepository: OffersRepository,
    private readonly memberships: MembershipsService,
    private readonly changeInvitation: ChangeInvitation,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly membershipGrants: MembershipGrants,
    private readonly ownFactors: OwnFactorsService,
    private readonly technicianFeed: TechnicianFeed,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly invitations: InvitationsService,
  ) {}

  /** GET /users: users with a membership within the caller's reach, and open invitations. */
  async list(caller: UserCaller, query: ListUsersQuery): Promise<UserPageResponse> {
    const { rows, total } = await this.work.read(caller, (reader) => this.usersRepository.list(reader, caller, query));
    return paged(query, { rows: rows.map(recordOf), total });
  }

  /** GET /users/:id: a user with a membership within the caller's reach, or an open invitation. */
  async get(caller: UserCaller, id: string): Promise<UserResponse> {
    const user = await this.work.read(
      caller,
      async (reader) =>
        (await this.usersRepository.read(reader, caller.scope, id)) ?? this.offersRepository.find(reader, caller, id),
    );
    if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
    return { data: recordOf(user) };
  }

  /**
   * PATCH /users/:id. The name and the break-glass flag belong to the whole account and change only when all of the
   * user's memberships are within the caller's reach. A suspension applies to the memberships within reach; only in
   * system scope does it apply to the whole account. For an open invitation, it changes the invitation.
   */
  update(caller: UserCaller, id: string, input: UpdateUserDto): Promise<UserResponse> {
    const updates = requireUpdates(input);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const changed =
        (await this.updateIn(tx, caller, id, updates)) ?? (await this.changeInvitation.update(tx, caller, id, input));
      if (!changed) throw userNotFound();
      const { before, after } = changed;
      const [home, ...others] = before.memberships;
      // Access below an organisation that is frozen can only be ended.
      const endsAccess = input.status === 'suspended' && Object.keys(updates).length === 1;
      if (home && others.length === 0 && !endsAccess) await requireOpenOwner(tx, home);
      const [was, is] = [withChanged(before, after), withChanged(after, before)];
      const changes = changesOf(was, is, AUTHORITY_FIELDS);
      if (Object.keys(changes).length === 0) return { data: recordOf(after) };
      tx.audit({
        action: 'user.update',
        resource: { type: 'user', id, name: after.email },
        ...tenantOf(is.memberships.length > 0 ? is.memberships : after.memberships),
        details: { changedFields: Object.keys(updates), changes },
      });
      return { data: recordOf(after) };
    });
  }

  /** @returns null when the caller's reach has no such user */
  private async updateIn(tx: Tx, caller: UserCaller, id: string, input: UpdateUserDto): Promise<ChangedUser | null> {
    const { membership, ...own } = input;
    const user = await this.memberships.findChangeableUser(tx, caller, id);
    if (!user) return null;
    if (membership) await this.changeMembership(tx, caller, user, membership);
    // A suspension is of the membership, which a move has replaced.
    const placed = (membership && (await this.usersRepository.find(tx, caller.scope, id))) ?? user;
    if (Object.keys(own).length > 0) await this.changeAccount(tx, caller, placed, own);
    return { before: user, after: await this.finishUserUpdate(tx, caller, user) };
  }

  /**
   * DELETE /users/:id deletes the memberships within the caller's reach, and the account together with its last
   * membership. For an open invitation, it withdraws the invitation.
   */
  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId) throw new ProblemError('conflict', 'You cannot delete yourself.');
    await this.work.run(caller, async (tx) => {
      const user = await this.memberships.findChangeableUser(tx, caller, id);
      const gone = user ?? (await this.changeInvitation.withdraw(tx, caller, id));
      if (!gone) throw userNotFound();
      const account = user ? await this.remove(tx, user) : 'invited';
      tx.audit({
        action: 'user.delete',
        resource: { type: 'user', id, name: gone.email },
        ...tenantOf(gone.memberships),
        details: { account, changes: changesOf(gone, null, AUTHORITY_FIELDS) },
      });
    });
    return { success: true };
  }

  /** Changes the name, the break-glass flag or the status of a user. */
  async changeAccount(
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
        'This person also has access to places that you cannot access; you can change only the membership here.',
      );
    if (personal.breakGlass && !user.mfaEnrolled)
      throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    await this.usersRepository.update(tx, { ...user, ...personal });
    if (personal.breakGlass) await this.revokeSessions.ofUnlinkedProviders(tx, user.id);
  }

  private async suspend(tx: Tx, caller: UserCaller, user: StoredUser, suspended: boolean): Promise<void> {
    const { id } = user;
    if (suspended && id === caller.userId) throw new ProblemError('conflict', 'You cannot suspend yourself.');
    const membershipIds = user.memberships.map((membership) => membership.id);
    await this.membershipsRepository.suspend(tx, membershipIds, suspended);
    if (caller.level === 'system') await this.usersRepository.suspend(tx, id, suspended);
    if (!suspended) return;
    for (const membershipId of membershipIds) await this.revokeSessions.ofUser(tx, id, 'suspended', { membershipId });
  }

  /**
   * Changes a user's membership in the same tenant. Without one, replaces the only membership within reach, and a
   * suspended one by a suspended one.
   */
  async changeMembership(tx: Tx, caller: UserCaller, user: StoredUser, input: MembershipDto): Promise<void> {
    const { id, memberships } = user;
    const admitted = await this.membershipGrants.admit(tx, caller, input);
    const there = memberships.find((membership) => sameTarget(placementIn(membership), admitted));
    if (there) return this.membershipsRepository.update(tx, there.id, admitted);
    await this.ownFactors.removeProviderFactors(tx, user);
    const former = onlyOne(memberships).id;
    const suspended = await this.membershipsRepository.isSuspended(tx, former);
    await this.membershipsRepository.delete(tx, [former]);
    await this.membershipsRepository.insert(tx, id, { id: newId(), ...admitted, suspended });
  }

  /**
   * Publishes a changed user, and ends what the user's former rights permitted: invitations and sessions.
   * @param before the user as found before the change @throws ProblemError break_glass_limit_reached
   */
  async finishUserUpdate(tx: Tx, caller: UserCaller, before: StoredUser): Promise<StoredUser> {
    const { id } = before;
    await this.technicianFeed.publish(tx, [id]);
    await this.withdrawDeadOffers.ofAuthors(tx, [id]);
    await this.revokeSessions.ofNewlyGoverned(tx, [id]);
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    const changed = await this.usersRepository.find(tx, caller.scope, id);
    if (!changed) throw userNotFound();
    if (changed.breakGlass) await this.memberships.requireBreakGlassLimit(tx, id, newOwners(before, changed));
    return changed;
  }

  /**
   * POST /users. A user within the caller's reach gets another membership. Any other address receives an invitation,
   * whether or not it has an account elsewhere, so the response does not reveal whether it has one.
   */
  invite(caller: UserCaller, { email, name, membership }: InviteUserDto): Promise<UserResponse> {
    const invitee = { email: foldEmail(email), name };
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const admitted = await this.membershipGrants.admit(tx, caller, membership);
      const { before, after } = await this.inviteIn(tx, caller, invitee, admitted);
      const data = recordOf(after);
      tx.audit({
        action: 'user.create',
        resource: { type: 'user', id: data.id, name: data.email },
        partnerId: admitted.partnerId,
        orgId: admitted.orgId,
        details: {
          scope: admitted.level,
          roleId: admitted.roleId,
          invited: data.status === 'invited',
          changes: changesOf(before && offerIn(before), { ...admitted, status: data.status }, PLACE_FIELDS),
        },
      });
      return { data };
    });
  }

  private async inviteIn(
    tx: Tx,
    caller: UserCaller,
    invitee: Pick<UserRecord, 'email' | 'name'>,
    admitted: GrantedPlacement,
  ): Promise<InvitedUser> {
    const knownId = await this.usersRepository.idOfEmail(tx, invitee.email);
    const known = knownId === null ? null : await this.usersRepository.find(tx, caller.scope, knownId);
    if (!known)
      return this.invitations.offerMembership(tx, caller, { ...invitee, membership: { id: newId(), ...admitted } });
    await this.ownFactors.removeProviderFactors(tx, known);
    return { before: null, after: await this.memberships.add(tx, caller, known.id, admitted) };
  }

  /**
   * Deletes the memberships of a user within the caller's reach, and the account together with its last membership.
   * @returns what became of the account
   */
  async remove(tx: Tx, user: StoredUser): Promise<'deleted' | 'kept'> {
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
    return isWhole ? 'deleted' : 'kept';
  }
}
