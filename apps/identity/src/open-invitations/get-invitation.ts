import type { UserCaller } from '@gatehouse/contracts-core';
import type { InvitationResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { invitationNotFound } from '../offers/invitation-not-found.ts';
import { OffersRepository } from '../offers/offers.repository.ts';

/** GET /users/:id/invitation, by the id that POST /users returned. */
@Injectable()
export class GetInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly offersRepository: OffersRepository,
  ) {}

  /** @throws ProblemError invitation_not_found */
  async execute(caller: UserCaller, id: string): Promise<InvitationResponse> {
    const data = await this.work.read(caller, (reader) =>
      this.offersRepository.findInvitation(reader, caller.scope, id),
    );
    if (!data) throw invitationNotFound();
    return { data };
  }
}
