import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { UpdateUserDto, UserRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MembershipGrants } from '../people/memberships/membership-grants.ts';
import { InvitationsService } from './invitations.service.ts';
import { OffersRepository } from '../people/offers/offers.repository.ts';

/** A user before and after a change. */
export interface ChangedUser {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/** PATCH and DELETE /users/:id for an open invitation: changes or withdraws the invitation, never an account. */
@Injectable()
export class ChangeInvitation {
  constructor(
    private readonly offersRepository: OffersRepository,
    private readonly membershipGrants: MembershipGrants,
    private readonly invitations: InvitationsService,
  ) {}

  /** @returns null when the caller's reach has no such open invitation */
  async update(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { name, status, membership, breakGlass }: UpdateUserDto,
  ): Promise<ChangedUser | null> {
    const offer = await this.findChangeable(tx, caller, id);
    if (!offer) return null;
    if (breakGlass) throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    if (membership) {
      const admitted = await this.membershipGrants.admit(tx, caller, membership);
      await this.offersRepository.updatePlacement(tx, id, await this.invitations.authorOf(tx, caller), admitted);
    }
    await this.offersRepository.update(tx, id, { name, suspended: status && status === 'suspended' });
    const after = await this.offersRepository.find(tx, caller, id);
    return after && { before: offer, after };
  }

  /** @returns the withdrawn invitation, or null when the caller's reach has none */
  async withdraw(tx: Tx, caller: UserCaller, id: string): Promise<UserRecord | null> {
    const offer = await this.findChangeable(tx, caller, id);
    return offer && (await this.offersRepository.delete(tx, id)) ? offer : null;
  }

  private async findChangeable(tx: Tx, caller: UserCaller, id: string): Promise<UserRecord | null> {
    const offer = await this.offersRepository.find(tx, caller, id);
    if (offer) await this.membershipGrants.requireMayChange(tx, caller, offer.memberships);
    return offer;
  }
}
