import { changesOf } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PLACE_FIELDS, type Placement } from '../grants/placement.ts';
import { type DeletedOffer, type NamedLink, OffersRepository } from './offers.repository.ts';

/**
 * Deletes invitations that cannot be accepted any more, and revokes set-up links. An open one among them had an author
 * who lost the right to make it, so its end is audited.
 */
@Injectable()
export class WithdrawDeadOffers {
  constructor(private readonly offersRepository: OffersRepository) {}

  /** Call it in each unit of work that removes rights from these users. */
  async ofAuthors(tx: Tx, authorIds: readonly string[]): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteUnbacked(tx, authorIds));
    for (const link of await this.offersRepository.revokeLinksOfAuthors(tx, authorIds))
      auditRevocation(tx, link, 'author_lost_authority');
  }

  /** For a provider or a link at it that ends: what its sessions offered ends with it. */
  async ofProvider(tx: Tx, providerId: string, authorId: string | null = null): Promise<void> {
    auditWithdrawn(tx, await this.offersRepository.deleteOfProvider(tx, providerId, authorId));
    for (const link of await this.offersRepository.revokeLinksOfProvider(tx, providerId, authorId))
      auditRevocation(tx, link, 'author_lost_authority');
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

export const setupLinkResource = ({ id, recipientEmail }: Pick<NamedLink, 'id' | 'recipientEmail'>) => ({
  type: 'sso_setup_link',
  id,
  name: recipientEmail,
});

/** @param reason why the link ended before it was completed */
export function auditRevocation(
  tx: Tx,
  link: NamedLink,
  reason: 'revoked' | 'organization_archived' | 'author_lost_authority',
): void {
  const changes = { status: { before: 'open', after: 'revoked' } };
  tx.audit({
    action: 'sso.setup_link.revoke',
    resource: setupLinkResource(link),
    partnerId: link.partnerId,
    orgId: link.orgId,
    details: { reason, changes },
  });
}
