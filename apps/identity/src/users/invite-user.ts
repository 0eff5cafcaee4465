import type { UserCaller } from '@gatehouse/contracts-core';
import type { InviteUserDto, UserResponse, UserRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OffersRepository } from '../offers/offers.repository.ts';
import { SendInvitation } from '../invitations/send-invitation.ts';
import { foldEmail } from '../people/email.ts';
import { requireBreakGlassRoom } from '../memberships/break-glass.ts';
import { JoinTenant } from '../memberships/join-tenant.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import type { Placement } from '../grants/placement.ts';
import { recordOf, type StoredUser, UsersRepository } from '../people/users.repository.ts';

type Admitted = Placement & { readonly roleId: string };
type Invitee = Pick<UserRecord, 'email' | 'name'>;

/** Reads existing users and invitations. */
@Injectable()
export class ExistingPlaces {
  constructor(
    private readonly users: UsersRepository,
    readonly offers: OffersRepository,
    private readonly joining: JoinTenant,
  ) {}

  async extend(tx: Tx, caller: UserCaller, { id }: StoredUser, admitted: Admitted): Promise<UserRecord> {
    await this.joining.execute(tx, id, { id: newId(), ...admitted });
    const user = await this.users.find(tx, caller.scope, id);
    if (!user) throw new Error('a user who was just added is out of reach');
    if (user.breakGlass) await requireBreakGlassRoom(tx, id, [admitted]);
    return recordOf(user);
  }

  async offered(tx: Tx, id: string): Promise<UserRecord> {
    const offer = await this.offers.sent(tx, id);
    if (!offer) throw new Error('an invitation that was just sent is out of reach');
    return recordOf(offer);
  }
}

/**
 * POST /users. A user within the caller's reach gets another membership. Any other address receives an invitation,
 * whether or not it has an account elsewhere, so the response does not reveal whether it has one.
 */
@Injectable()
export class InviteUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipGrants,
    private readonly invitations: SendInvitation,
    private readonly existing: ExistingPlaces,
  ) {}

  execute(caller: UserCaller, input: InviteUserDto): Promise<UserResponse> {
    const person = { email: foldEmail(input.email), name: input.name };
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const admitted = await this.memberships.admit(tx, caller, input.membership);
      const knownId = await this.users.idOfEmail(tx, person.email);
      const known = knownId === null ? null : await this.users.find(tx, caller.scope, knownId);
      const data = known
        ? await this.existing.extend(tx, caller, known, admitted)
        : await this.offer(tx, caller, person, admitted);
      tx.audit({
        action: 'user.create',
        resource: { type: 'user', id: data.id, name: data.email },
        partnerId: admitted.partnerId,
        orgId: admitted.orgId,
        details: { scope: admitted.level, roleId: admitted.roleId, invited: data.status === 'invited' },
      });
      return { data };
    });
  }

  /** Renews an open invitation if the caller could also have changed it. */
  private async offer(tx: Tx, caller: UserCaller, person: Invitee, admitted: Admitted): Promise<UserRecord> {
    const open = await this.existing.offers.at(tx, person.email, admitted);
    if (open) await this.memberships.requireMayChange(tx, caller, open.memberships);
    const id = await this.invitations.execute(tx, {
      ...person,
      author: { id: caller.userId, name: caller.name },
      membership: { id: newId(), ...admitted },
    });
    return this.existing.offered(tx, id);
  }
}
