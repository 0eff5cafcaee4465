import { ProblemError } from '@gatehouse/contracts-core';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mail/mailer.ts';
import { invitationMail } from '../mail/templates.ts';
import { TenantNamesRepository } from '../mail/tenant-names.repository.ts';
import { invitationNotFound } from '../offers/invitation-not-found.ts';
import { InvitationMailsRepository } from '../offers/invitation-mails.repository.ts';
import { type NewOffer, OffersRepository } from '../offers/offers.repository.ts';

type SentOffer = Pick<NewOffer, 'email' | 'author'> & {
  readonly membership: Pick<NewOffer['membership'], 'partnerId' | 'orgId'>;
};

/** Limit for one address and one tenant (a partner with its organisations, or the system) within 24 hours. */
const MAX_MAILS = 5;

/** Sends an invitation by mail: a link that works once and for seven days. Only the hash of its token is stored. */
@Injectable()
export class SendInvitation {
  constructor(
    private readonly mailer: Mailer,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly offersRepository: OffersRepository,
    private readonly invitationMailsRepository: InvitationMailsRepository,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** @returns the id of the invitation @throws ProblemError rate_limited */
  execute(tx: Tx, offer: NewOffer): Promise<string> {
    return this.mail(tx, offer, (tokenHash) => this.offersRepository.upsert(tx, newId(), tokenHash, offer));
  }

  /** Sends an open invitation again: the link of the earlier mail stops working. @throws as {@link execute} */
  again(tx: Tx, id: string, offer: SentOffer): Promise<string> {
    return this.mail(tx, offer, async (tokenHash) => {
      const renewed = await this.offersRepository.renew(tx, id, tokenHash, offer.author);
      if (!renewed) throw invitationNotFound();
      return renewed;
    });
  }

  /** @param store stores the hash of the new token before the mail with the token is posted */
  private async mail(tx: Tx, offer: SentOffer, store: (tokenHash: string) => Promise<string>): Promise<string> {
    await this.countMail(tx, offer.email, offer.membership.partnerId);
    const token = randomToken();
    const id = await store(sha256Hex(token));
    const tenantName = await this.tenantNamesRepository.find(tx, offer.membership);
    const mail = { baseUrl: this.baseUrl, to: offer.email, token, tenantName };
    await this.mailer.post(tx, invitationMail(mail, offer.author.name));
    return id;
  }

  private async countMail(tx: Tx, email: string, partnerId: string | null): Promise<void> {
    await this.invitationMailsRepository.lockAddress(tx, email, partnerId);
    const { count, retryAfter } = await this.invitationMailsRepository.recent(tx, email, partnerId);
    if (count >= MAX_MAILS)
      throw new ProblemError('rate_limited', `This address was invited ${MAX_MAILS} times today; try again later.`, {
        retryAfterSeconds: Math.max(1, retryAfter ?? 1),
      });
    await this.invitationMailsRepository.insert(tx, email, partnerId);
  }
}
