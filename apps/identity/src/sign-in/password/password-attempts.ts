import type { Caller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { CredentialsRepository } from '../passwords/credentials.repository.ts';
import type { Account } from '../../people/accounts.repository.ts';
import { recordLoginFailure } from '../../people/login-failure.ts';
import type { SignInFault } from './sign-in-verdict.ts';

/**
 * Shared by every operation that accepts a password: rate limits, the failure count and the audit record of a failure.
 */
@Injectable()
export class PasswordAttempts {
  constructor(
    private readonly credentialsRepository: CredentialsRepository,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async requireRoom({ origin }: Caller, address: string): Promise<void> {
    const client = origin.ip ?? 'unknown';
    await this.rateLimiter.require('signInByClient', client);
    await this.rateLimiter.require('signInByAccount', `${client} ${address}`);
  }

  /**
   * Resets the failure count after a correct password. The check takes a while and holds no lock on the account.
   * @returns false when the password has been replaced since, or parallel failures have locked the account
   */
  admit(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
    return this.credentialsRepository.clearFailures(tx, id, passwordHash);
  }

  /** Records the failure; a wrong password counts towards the lock. */
  async refuse(
    tx: Tx,
    account: Account | null,
    fault: SignInFault | null,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<null> {
    await this.credentialsRepository.countFailure(tx, account?.id ?? null, fault === 'wrong_password');
    recordLoginFailure(tx, account, { reason: fault, ...details });
    return null;
  }
}
