import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { UpdateUserDto, UserRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OffersRepository } from '../offers/offers.repository.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';

/** PATCH and DELETE /users/:id for an open invitation: changes or withdraws the invitation, never an account. */
@Injectable()
export class ChangeInvitation {
  constructor(
    private readonly offers: OffersRepository,
    private readonly memberships: MembershipGrants,
  ) {}

  /** @returns null when the caller's reach has no such open invitation */
  async update(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { name, status, membership, breakGlass }: UpdateUserDto,
  ): Promise<UserRecord | null> {
    const offer = await this.offers.find(tx, caller.scope, id);
    if (!offer) return null;
    await this.memberships.requireMayChange(tx, caller, offer.memberships);
    if (breakGlass) throw invalid('breakGlass', 'is for people who have enrolled a second factor');
    if (membership)
      await this.offers.move(
        tx,
        id,
        { id: caller.userId, name: caller.name },
        await this.memberships.admit(tx, caller, membership),
      );
    await this.offers.change(tx, id, { name, suspended: status && status === 'suspended' });
    return this.offers.find(tx, caller.scope, id);
  }

  /** @returns the withdrawn invitation, or null when the caller's reach has none */
  async withdraw(tx: Tx, caller: UserCaller, id: string): Promise<UserRecord | null> {
    const offer = await this.offers.find(tx, caller.scope, id);
    if (!offer) return null;
    await this.memberships.requireMayChange(tx, caller, offer.memberships);
    return (await this.offers.delete(tx, id)) ? offer : null;
  }
}
