import { ProblemError } from '@gatehouse/contracts-core';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mail/mailer.ts';
import { invitationMail } from '../mail/templates.ts';
import { type NewOffer, OffersRepository } from '../offers/offers.repository.ts';

/** Limit for one address and one tenant (a partner with its organisations, or the system) within 24 hours. */
const MAX_MAILS = 5;
const LOCK_ADDRESS = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.invitation_mails ' || $1))`;
const RECENT = `
  SELECT count(*) AS count, ceil(extract(epoch FROM min(sent_at) + interval '1 day' - now()))::float8 AS retry_after
    FROM invitation_mails WHERE email = $1 AND partner_id IS NOT DISTINCT FROM $2::uuid AND sent_at > now() - interval '1 day'`;
const COUNT_MAIL = 'INSERT INTO invitation_mails (email, partner_id) VALUES ($1, $2)';

/** Sends an invitation by mail: a link that works once and for seven days. Only the hash of its token is stored. */
@Injectable()
export class SendInvitation {
  constructor(
    private readonly mailer: Mailer,
    private readonly offers: OffersRepository,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** @returns the id of the invitation @throws ProblemError rate_limited */
  async execute(tx: Tx, offer: NewOffer): Promise<string> {
    await this.countMail(tx, offer.email, offer.membership.partnerId);
    const token = randomToken();
    const id = await this.offers.save(tx, newId(), sha256Hex(token), offer);
    await this.mailer.post(tx, invitationMail({ baseUrl: this.baseUrl, to: offer.email, token }, offer.author.name));
    return id;
  }

  private async countMail(tx: Tx, email: string, partnerId: string | null): Promise<void> {
    await tx.query(LOCK_ADDRESS, [`${partnerId ?? 'system'} ${email}`]);
    const recent = await tx.one<{ count: number; retryAfter: number | null }>(RECENT, [email, partnerId]);
    if (recent && recent.count >= MAX_MAILS)
      throw new ProblemError('rate_limited', `This address was invited ${MAX_MAILS} times today; try again later.`, {
        retryAfterSeconds: Math.max(1, recent.retryAfter ?? 1),
      });
    await tx.query(COUNT_MAIL, [email, partnerId]);
  }
}
