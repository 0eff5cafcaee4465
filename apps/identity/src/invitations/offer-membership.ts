import type { UserCaller } from '@gatehouse/contracts-core';
import type { UserRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SendInvitation } from './send-invitation.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { type NewOffer, OffersRepository } from '../offers/offers.repository.ts';
import { WithdrawDeadOffers } from '../offers/withdraw-dead-offers.ts';

/** Invites an address, or renews its open invitation if the caller could also have changed that. */
@Injectable()
export class OfferMembership {
  constructor(
    private readonly offersRepository: OffersRepository,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly membershipGrants: MembershipGrants,
    private readonly sendInvitation: SendInvitation,
  ) {}

  /** @throws ProblemError rate_limited, role_not_grantable; those of the reach */
  async execute(tx: Tx, caller: UserCaller, offer: Omit<NewOffer, 'author'>): Promise<UserRecord> {
    await this.withdrawDeadOffers.at(tx, offer.email, offer.membership);
    const open = await this.offersRepository.findAt(tx, offer.email, offer.membership);
    if (open) await this.membershipGrants.requireMayChange(tx, caller, open.memberships);
    const id = await this.sendInvitation.execute(tx, { ...offer, author: { id: caller.userId, name: caller.name } });
    const sent = await this.offersRepository.findSent(tx, id);
    if (!sent) throw new Error('an invitation that was just sent is out of reach');
    return sent;
  }
}
