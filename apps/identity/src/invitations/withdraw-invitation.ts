import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse, InvitationResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { placementIn } from '../memberships/membership-grants.ts';
import { requireReach } from '../grants/placement.ts';
import { OffersRepository } from '../offers/offers.repository.ts';

const notFound = (): ProblemError => new ProblemError('invitation_not_found', 'There is no such open invitation.');

/**
 * GET and DELETE /users/:id/invitation, by the id that POST /users returned. Withdrawing grants nothing, so
 * the caller needs to reach the offered membership but not to hold the offered role.
 */
@Injectable()
export class WithdrawInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly offers: OffersRepository,
  ) {}

  async read(caller: UserCaller, id: string): Promise<InvitationResponse> {
    const data = await this.work.read(caller, (reader) => this.offers.invitation(reader, caller.scope, id));
    if (!data) throw notFound();
    return { data };
  }

  /** @throws ProblemError invitation_not_found (also once it was accepted), site_access_denied, org_access_denied */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const offer = await this.offers.invitation(tx, caller.scope, id);
      if (!offer) throw notFound();
      requireReach(caller, placementIn(offer.membership));
      if (!(await this.offers.delete(tx, id))) throw notFound();
      const { partnerId, orgId } = offer.membership;
      tx.audit({
        action: 'user.invite.withdraw',
        resource: { type: 'user', id, name: offer.email },
        partnerId,
        orgId,
        details: { invitedBy: offer.invitedBy },
      });
    });
    return { success: true };
  }
}
