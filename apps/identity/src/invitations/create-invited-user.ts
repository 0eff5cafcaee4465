import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { JoinTenant } from '../memberships/join-tenant.ts';
import { type AcceptedOffer, AcceptedOffersRepository } from '../offers/accepted-offers.repository.ts';
import { UsersRepository } from '../people/users.repository.ts';

/** Creates the account of an invited user who had none, with the membership that was offered to them. */
@Injectable()
export class CreateInvitedUser {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly acceptedOffersRepository: AcceptedOffersRepository,
    private readonly joinTenant: JoinTenant,
  ) {}

  /**
   * @param offer already deleted from the table
   * @param provesAddress whether the user proved the mail address itself, and so also accepts the related invitations
   * @returns the id of the new account
   * @throws ProblemError email_taken
   */
  async execute(tx: Tx, offer: AcceptedOffer, { provesAddress }: { readonly provesAddress: boolean }): Promise<string> {
    const { id, email, name, authorId: _, takenAt: _t, membershipId, ...place } = offer;
    await this.usersRepository.insert(tx, { id, email, name });
    if (provesAddress) await this.acceptedOffersRepository.acceptRelated(tx, id, offer);
    await this.joinTenant.execute(tx, id, { ...place, id: membershipId });
    return id;
  }
}
