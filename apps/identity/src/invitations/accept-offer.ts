import { ProblemError } from '@gatehouse/contracts-core';
import { onConstraint, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { JoinTenant } from '../memberships/join-tenant.ts';
import { RequireBreakGlassLimit } from '../memberships/require-break-glass-limit.ts';
import { type AcceptedOffer, AcceptedOffersRepository } from '../offers/accepted-offers.repository.ts';
import { RemoveProviderFactors } from '../own-factors/remove-provider-factors.ts';
import type { Account } from '../people/accounts.repository.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { CreateInvitedUser } from './create-invited-user.ts';

export const invalidInvitation = (): ProblemError =>
  new ProblemError('invitation_invalid', 'This invitation is not valid any more; ask for another.');
const roleDeleted = onConstraint({ membership_role: invalidInvitation });

interface Acceptance {
  readonly tokenHash: string;
  readonly account: Account | null;
  /** The name of a user who has no account yet. */
  readonly name?: string;
}

/** Uses up an invitation and gives its user the membership, with a new account if there is none. */
@Injectable()
export class AcceptOffer {
  constructor(
    private readonly acceptedOffersRepository: AcceptedOffersRepository,
    private readonly createInvitedUser: CreateInvitedUser,
    private readonly joinTenant: JoinTenant,
    private readonly removeProviderFactors: RemoveProviderFactors,
    private readonly requireBreakGlassLimit: RequireBreakGlassLimit,
  ) {}

  /** @throws ProblemError invitation_invalid, organization_frozen, email_taken, break_glass_limit_reached */
  async execute(
    tx: Tx,
    { tokenHash, account, name }: Acceptance,
  ): Promise<{ readonly userId: string; readonly offer: AcceptedOffer }> {
    const offer = await this.acceptedOffersRepository.consume(tx, tokenHash);
    // Accepted already, together with another invitation: its link must not bring a deleted user back.
    const isOfDeletedUser = offer?.takenAt && !account;
    if (!offer || isOfDeletedUser) throw invalidInvitation();
    await requireNotFrozen(tx, offer.orgId);
    const userId = await (
      account
        ? this.join(tx, account, offer)
        : this.createInvitedUser.execute(tx, { ...offer, name: name ?? offer.name }, { provesAddress: true })
    ).catch(roleDeleted);
    return { userId, offer };
  }

  private async join(tx: Tx, account: Account, offer: AcceptedOffer): Promise<string> {
    const { id, breakGlass } = account;
    await this.removeProviderFactors.execute(tx, account);
    if (offer.takenAt === null) await this.joinTenant.execute(tx, id, { ...offer, id: offer.membershipId });
    if (breakGlass) await this.requireBreakGlassLimit.execute(tx, id, [offer]);
    return id;
  }
}
