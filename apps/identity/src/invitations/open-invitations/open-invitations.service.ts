import { changesOf, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse, InvitationRecord, InvitationResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { placementIn, requireReach } from '../../people/grants/placement.ts';
import { InvitationsService } from '../invitations.service.ts';
import { MembershipGrants } from '../../people/memberships/membership-grants.ts';
import { invitationNotFound, OffersRepository } from '../../people/offers/offers.repository.ts';

@Injectable()
export class OpenInvitationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly offersRepository: OffersRepository,
    private readonly membershipGrants: MembershipGrants,
    private readonly invitations: InvitationsService,
  ) {}

  /** GET /users/:id/invitation, by the id that POST /users returned. */
  async get(caller: UserCaller, id: string): Promise<InvitationResponse> {
    const data = await this.work.read(caller, (reader) => this.offersRepository.findInvitation(reader, caller, id));
    if (!data) throw invitationNotFound();
    return { data };
  }

  /**
   * POST /users/:id/invitation: mails an open invitation again. Its caller becomes its author, so the caller must be
   * able to give what it offers.
   * @throws ProblemError invitation_not_found (also once it was accepted), conflict, rate_limited, role_not_grantable;
   * those of the reach
   */
  resend(caller: UserCaller, id: string): Promise<InvitationResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const invited = await this.findInvited(tx, caller, id);
      const { email, membership } = invited;
      const { partnerId, orgId } = await this.membershipGrants.admit(tx, caller, membership);
      const author = await this.invitations.authorOf(tx, caller);
      await this.invitations.again(tx, id, { email, author, membership: { partnerId, orgId } });
      const data = await this.offersRepository.findInvitation(tx, caller, id);
      if (!data) throw invitationNotFound();
      tx.audit({
        action: 'user.invite.resend',
        resource: { type: 'user', id, name: email },
        partnerId,
        orgId,
        details: { changes: changesOf(invited, data, ['invitedBy', 'expiresAt']) },
      });
      return { data };
    });
  }

  private async findInvited(tx: Tx, caller: UserCaller, id: string): Promise<InvitationRecord> {
    const [invitation, user] = [
      await this.offersRepository.findInvitation(tx, caller, id),
      await this.offersRepository.find(tx, caller, id),
    ];
    if (!invitation || !user) throw invitationNotFound();
    if (user.status !== 'invited')
      throw new ProblemError('conflict', 'This invitation is suspended; reinstate it before sending it again.');
    return invitation;
  }

  /**
   * DELETE /users/:id/invitation, by the id that POST /users returned. Withdrawing grants nothing, so the caller needs
   * to reach the offered membership but not to hold the offered role.
   * @throws ProblemError invitation_not_found (also once it was accepted), site_access_denied, org_access_denied
   */
  async withdraw(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const offer = await this.offersRepository.findInvitation(tx, caller, id);
      if (!offer) throw invitationNotFound();
      requireReach(caller, placementIn(offer.membership));
      if (!(await this.offersRepository.delete(tx, id))) throw invitationNotFound();
      const { partnerId, orgId } = offer.membership;
      tx.audit({
        action: 'user.invite.withdraw',
        resource: { type: 'user', id, name: offer.email },
        partnerId,
        orgId,
        details: { invitedBy: offer.invitedBy, changes: changesOf(offer, null, ['membership']) },
      });
    });
    return { success: true };
  }
}
