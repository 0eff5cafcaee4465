import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { placementIn, requireReach } from '../grants/placement.ts';
import { invitationNotFound } from '../offers/invitation-not-found.ts';
import { OffersRepository } from '../offers/offers.repository.ts';

/**
 * DELETE /users/:id/invitation, by the id that POST /users returned. Withdrawing grants nothing, so the caller needs to
 * reach the offered membership but not to hold the offered role.
 */
@Injectable()
export class WithdrawInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly offersRepository: OffersRepository,
  ) {}

  /** @throws ProblemError invitation_not_found (also once it was accepted), site_access_denied, org_access_denied */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const offer = await this.offersRepository.findInvitation(tx, caller.scope, id);
      if (!offer) throw invitationNotFound();
      requireReach(caller, placementIn(offer.membership));
      if (!(await this.offersRepository.delete(tx, id))) throw invitationNotFound();
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
