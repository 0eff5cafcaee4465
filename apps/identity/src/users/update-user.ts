import { invalid, Refusal, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipInput, MembershipRecord, UpdateUserInput, UserAnswer, UserStatus } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { tenantOf } from '../people/tenant-of.ts';
import { principalsChanged } from '../sessions/principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { requireBreakGlassRoom } from './break-glass.ts';
import { Memberships, placementIn } from './memberships.ts';
import { sameTarget } from './placement.ts';
import { TechnicianFeed } from './technician-feed.ts';
import { type StoredUser, UsersRepository } from './users.repository.ts';

const notFound = (): Refusal => new Refusal('user_not_found', 'There is no such user.');

/** PATCH /users/:id. What is the person's own (name, status, break-glass) changes only when all of the person is in reach. */
@Injectable()
export class UpdateUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: Memberships,
    private readonly revocation: RevokeSessions,
    private readonly technicians: TechnicianFeed,
  ) {}

  execute(caller: UserCaller, id: string, input: UpdateUserInput): Promise<UserAnswer> {
    const { membership, ...own } = requireUpdates(input);
    return this.work.run(caller, async (tx) => {
      await this.users.lock(tx, id);
      const user = await this.users.find(tx, caller.scope, id);
      if (!user) throw notFound();
      await this.memberships.requireMayChange(tx, caller, user.memberships);
      if (Object.keys(own).length > 0) await this.change(tx, caller, user, own);
      if (membership) await this.move(tx, caller, user, membership);
      return this.finish(tx, caller, user, Object.keys(requireUpdates(input)));
    });
  }

  private async change(tx: Tx, caller: UserCaller, user: StoredUser, own: Omit<UpdateUserInput, 'membership'>): Promise<void> {
    if ((await this.users.membershipCount(tx, user.id)) > user.memberships.length) throw new Refusal('partner_access_denied', 'This person also belongs to tenants that you do not reach; only the membership can be changed.');
    if (own.status === 'suspended' && user.id === caller.userId) throw new Refusal('conflict', 'You cannot suspend yourself.');
    if (own.breakGlass && !user.mfaEnrolled) throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    await this.users.update(tx, { ...user, ...own, status: nextStatus(user.status, own.status) });
    if (own.status === 'suspended') await this.revocation.ofUser(tx, user.id, 'suspended');
    if (own.breakGlass) await this.revocation.ofProvidersWord(tx, user.id);
  }

  /** The membership in the same place is changed; failing that, the only one within reach gives way to the new one. */
  private async move(tx: Tx, caller: UserCaller, { id, memberships }: StoredUser, input: MembershipInput): Promise<void> {
    const admitted = await this.memberships.admit(tx, caller, input);
    const there = memberships.find((membership) => sameTarget(placementIn(membership), admitted));
    if (there) return this.users.updateMembership(tx, there.id, admitted);
    await this.users.removeMemberships(tx, [onlyOne(memberships).id]);
    await this.users.addMembership(tx, { id: newId(), userId: id, ...admitted });
  }

  private async finish(tx: Tx, caller: UserCaller, { id, email, breakGlass, memberships }: StoredUser, changedFields: string[]): Promise<UserAnswer> {
    await this.technicians.publish(tx, [id]);
    await this.revocation.ofNewlyGoverned(tx, [id]);
    principalsChanged(tx, id, 'userIds', [id]);
    const changed = await this.users.find(tx, caller.scope, id);
    if (!changed) throw notFound();
    const counted = breakGlass ? memberships.map((membership) => membership.id) : [];
    if (changed.breakGlass) await requireBreakGlassRoom(tx, id, changed.memberships.filter((membership) => !counted.includes(membership.id)));
    tx.audit({ action: 'user.update', resource: { type: 'user', id, name: email }, ...tenantOf(changed.memberships), details: { changedFields } });
    const { version: _, ...data } = changed;
    return { data };
  }
}

/** An invitation that nobody has accepted yet is not made an account by setting its status. */
function nextStatus(status: UserStatus, wanted: UserStatus | undefined): UserStatus {
  return wanted === undefined || (wanted === 'active' && status === 'invited') ? status : wanted;
}

function onlyOne(memberships: readonly MembershipRecord[]): MembershipRecord {
  const [only, second] = memberships;
  if (!only || second) throw invalid('membership', 'is none of the memberships that this person has; add it by inviting them there');
  return only;
}
