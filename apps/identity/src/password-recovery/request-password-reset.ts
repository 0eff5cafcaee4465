import { asService, type Caller } from '@gatehouse/contracts-core';
import type { MessageResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { foldEmail } from '../people/email.ts';
import { SendResetLink } from './send-reset-link.ts';

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
    private readonly accountsRepository: AccountsRepository,
    private readonly sendResetLink: SendResetLink,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async execute(caller: Caller, email: string): Promise<MessageResponse> {
    await Promise.all([this.request(caller, foldEmail(email)), wait(LEAST_MS)]);
    return ANSWER;
  }

  private async request(caller: Caller, address: string): Promise<void> {
    const { allowed } = await this.rateLimiter.use('forgotPassword', address);
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      const account = await this.accountsRepository.byEmail(tx, address);
      if (allowed && mayReset(account)) await this.sendResetLink.execute(tx, account);
    });
  }
}
