import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { InvitationRecord, InvitationResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { invitationNotFound } from '../offers/invitation-not-found.ts';
import { OffersRepository } from '../offers/offers.repository.ts';
import { SendInvitation } from '../invitations/send-invitation.ts';

/**
 * POST /users/:id/invitation: mails an open invitation again. Its caller becomes its author, so the caller must be able
 * to give what it offers.
 */
@Injectable()
export class ResendInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly offersRepository: OffersRepository,
    private readonly membershipGrants: MembershipGrants,
    private readonly sendInvitation: SendInvitation,
  ) {}

  /**
   * @throws ProblemError invitation_not_found (also once it was accepted), conflict, rate_limited, role_not_grantable;
   * those of the reach
   */
  execute(caller: UserCaller, id: string): Promise<InvitationResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { email, membership } = await this.findInvited(tx, caller, id);
      const { partnerId, orgId } = await this.membershipGrants.admit(tx, caller, membership);
      const author = { id: caller.userId, name: caller.name };
      await this.sendInvitation.again(tx, id, { email, author, membership: { partnerId, orgId } });
      tx.audit({ action: 'user.invite.resend', resource: { type: 'user', id, name: email }, partnerId, orgId });
      const data = await this.offersRepository.findInvitation(tx, caller.scope, id);
      if (!data) throw invitationNotFound();
      return { data };
    });
  }

  private async findInvited(tx: Tx, caller: UserCaller, id: string): Promise<InvitationRecord> {
    const [invitation, user] = [
      await this.offersRepository.findInvitation(tx, caller.scope, id),
      await this.offersRepository.find(tx, caller.scope, id),
    ];
    if (!invitation || !user) throw invitationNotFound();
    if (user.status !== 'invited')
      throw new ProblemError('conflict', 'This invitation is suspended; make it active before sending it again.');
    return invitation;
  }
}
