import { asService, type Caller } from '@gatehouse/contracts-core';
import type { MessageResponse } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Mailer } from '../mail/mailer.ts';
import { passwordResetMail } from '../mail/templates.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { foldEmail } from '../people/email.ts';
import { tenantOf } from '../people/tenant-of.ts';

const ADD = `INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`;
/**
 * A request for an address with an account takes a few milliseconds longer. Every response waits at least this long, to
 * hide the difference.
 */
const LEAST_MS = 150;
const ANSWER: MessageResponse = { success: true, message: 'If this address has an account, a mail is on its way.' };

/** Suspended users, and users whom an identity provider signs in, get no mail (SSO-42). */
const mayReset = (account: Account | null): account is Account =>
  account !== null && account.status === 'active' && account.memberships.length > 0 && !account.governed;

/** POST /auth/forgot-password: the same response for every address. */
@Injectable()
export class RequestPasswordReset {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly mailer: Mailer,
    private readonly limiter: RateLimiter,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async execute(caller: Caller, email: string): Promise<MessageResponse> {
    await Promise.all([this.request(caller, foldEmail(email)), wait(LEAST_MS)]);
    return ANSWER;
  }

  private async request(caller: Caller, address: string): Promise<void> {
    const { allowed } = await this.limiter.use('forgotPassword', address);
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      const account = await this.accounts.byEmail(tx, address);
      if (allowed && mayReset(account)) await this.send(tx, account);
    });
  }

  private async send(tx: Tx, { id, email, memberships }: Account): Promise<void> {
    const token = randomToken();
    await tx.query(ADD, [sha256Hex(token), id]);
    await this.mailer.post(tx, passwordResetMail({ baseUrl: this.baseUrl, to: email, token }));
    tx.audit({
      action: 'user.password.reset_request',
      resource: { type: 'user', id, name: email },
      ...tenantOf(memberships),
    });
  }
}
