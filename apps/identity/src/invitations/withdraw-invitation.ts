import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse, InvitationResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OffersRepository } from './offers.repository.ts';

const notFound = (): ProblemError => new ProblemError('invitation_not_found', 'There is no such open invitation.');

/**
 * GET and DELETE /users/:id/invitation, by the id that POST /users returned. Withdrawing grants nothing, so the caller
 * needs only reach.
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

  /** @throws ProblemError invitation_not_found, also for an invitation that was accepted concurrently */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    await this.work.run(caller, async (tx) => {
      const offer = await this.offers.invitation(tx, caller.scope, id);
      if (!offer || !(await this.offers.delete(tx, id))) throw notFound();
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
