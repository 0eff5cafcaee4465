import { randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mail/mailer.ts';
import { passwordResetMail } from '../mail/templates.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import type { Account } from '../people/accounts.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';

/** The name of the tenant of a user who has one membership. */
const onlyTenantOf = ([membership, ...others]: Account['memberships']): string | null =>
  membership && others.length === 0 ? (membership.orgName ?? membership.partnerName) : null;

/** Mails a link to set a new password. It works once and for an hour; only the hash of its token is stored. */
@Injectable()
export class SendResetLink {
  constructor(
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async execute(tx: Tx, { id, email, memberships }: Account): Promise<void> {
    const token = randomToken();
    await this.resetLinksRepository.insert(tx, id, sha256Hex(token));
    const mail = { baseUrl: this.baseUrl, to: email, token, tenantName: onlyTenantOf(memberships) };
    await this.mailer.post(tx, passwordResetMail(mail));
    tx.audit({
      action: 'user.password.reset_request',
      resource: { type: 'user', id, name: email },
      ...tenantOf(memberships),
    });
  }
}
