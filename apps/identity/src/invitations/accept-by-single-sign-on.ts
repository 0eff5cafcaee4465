import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { AcceptedOffersRepository } from '../offers/accepted-offers.repository.ts';
import { CreateInvitedUser } from './create-invited-user.ts';

/**
 * Accepts an organisation's invitation to an address without account, at the first sign-in through its provider. The
 * provider vouches for its own organisation only, and for no more than the author of its trust could give, so all other
 * invitations stay open.
 */
@Injectable()
export class AcceptBySingleSignOn {
  constructor(
    private readonly acceptedOffersRepository: AcceptedOffersRepository,
    private readonly createInvitedUser: CreateInvitedUser,
  ) {}

  async execute(
    tx: Tx,
    { id: providerId, orgId }: { readonly id: string; readonly orgId: string | null },
    email: string,
  ): Promise<void> {
    if (orgId === null) return;
    const offer = await this.acceptedOffersRepository.consumeByProvider(tx, providerId, email);
    if (!offer) return;
    const userId = await this.createInvitedUser.execute(tx, offer, { provesAddress: false });
    tx.audit({
      action: 'user.invite.accept',
      resource: { type: 'user', id: userId, name: email },
      actor: { type: 'user', id: userId, name: offer.name },
      partnerId: offer.partnerId,
      orgId,
      details: { providerId },
    });
  }
}
