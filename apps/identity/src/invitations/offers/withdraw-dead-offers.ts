import { changesOf } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PLACE_FIELDS, type Placement } from '../../people/grants/placement.ts';
import { type DeletedOffer, OffersRepository } from './offers.repository.ts';

/**
 * Deletes invitations that cannot be accepted any more. An open one among them had an author who lost the right to send
 * it, so its withdrawal is audited.
 */
@Injectable()
export class WithdrawDeadOffers {
  constructor(private readonly offersRepository: OffersRepository) {}

  /** Call it in each unit of work that removes rights from these users. */
  async ofAuthors(tx: Tx, authorIds: readonly string[]): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteUnbacked(tx, authorIds));
  }

  /** For a provider or a link at it that ends: what its sessions offered ends with it. */
  async ofProvider(tx: Tx, providerId: string, authorId: string | null = null): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteOfProvider(tx, providerId, authorId));
  }

  async ofRole(tx: Tx, roleId: string): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteDeadOfRole(tx, roleId));
  }

  async at(tx: Tx, email: string, placement: Placement): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteDeadAt(tx, email, placement));
  }
}

function auditWithdrawn(tx: Tx, offers: readonly DeletedOffer[]): void {
  for (const offer of offers.filter(({ wasOpen }) => wasOpen)) {
    const { id, email, authorName, partnerId, orgId } = offer;
    tx.audit({
      action: 'user.invite.withdraw',
      resource: { type: 'user', id, name: email },
      partnerId,
      orgId,
      details: {
        reason: 'author_lost_authority',
        invitedBy: authorName,
        changes: changesOf(offer, null, PLACE_FIELDS),
      },
    });
  }
}
