import type { UserCaller } from '@gatehouse/contracts-core';
import type { InviteUserDto, UserRecord, UserResponse } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { GrantedPlacement } from '../grants/placement.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { foldEmail } from '../people/email.ts';
import { recordOf, UsersRepository } from '../people/users.repository.ts';
import { AddMembership } from '../memberships/add-membership.ts';
import { RemoveProviderFactors } from '../own-factors/remove-provider-factors.ts';
import { OfferMembership } from '../invitations/offer-membership.ts';

/**
 * POST /users. A user within the caller's reach gets another membership. Any other address receives an invitation,
 * whether or not it has an account elsewhere, so the response does not reveal whether it has one.
 */
@Injectable()
export class InviteUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly membershipGrants: MembershipGrants,
    private readonly removeProviderFactors: RemoveProviderFactors,
    private readonly addMembership: AddMembership,
    private readonly offerMembership: OfferMembership,
  ) {}

  execute(caller: UserCaller, { email, name, membership }: InviteUserDto): Promise<UserResponse> {
    const invitee = { email: foldEmail(email), name };
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const admitted = await this.membershipGrants.admit(tx, caller, membership);
      const data = recordOf(await this.invite(tx, caller, invitee, admitted));
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

  private async invite(
    tx: Tx,
    caller: UserCaller,
    invitee: Pick<UserRecord, 'email' | 'name'>,
    admitted: GrantedPlacement,
  ): Promise<UserRecord> {
    const knownId = await this.usersRepository.idOfEmail(tx, invitee.email);
    const known = knownId === null ? null : await this.usersRepository.find(tx, caller.scope, knownId);
    if (!known)
      return this.offerMembership.execute(tx, caller, { ...invitee, membership: { id: newId(), ...admitted } });
    await this.removeProviderFactors.execute(tx, known);
    return this.addMembership.execute(tx, caller, known.id, admitted);
  }
}
