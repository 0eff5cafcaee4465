import type { Caller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import type { Account } from '../people/accounts.repository.ts';
import { recordLoginFailure } from '../people/login-failure.ts';
import type { SignInFault } from './sign-in-verdict.ts';

/** Five failures lock the account for 15 minutes; the first failure after that starts a new count. */
const COUNT_FAILURE = `
  UPDATE credentials
     SET failed_attempts = CASE WHEN locked_until <= now() THEN 1 ELSE failed_attempts + 1 END,
         locked_until = CASE WHEN locked_until <= now() OR failed_attempts + 1 < 5 THEN NULL ELSE now() + interval '15 minutes' END
   WHERE user_id = $1 AND $2::boolean`;
const CLEAR_FAILURES = `
  UPDATE credentials SET failed_attempts = 0, locked_until = NULL
   WHERE user_id = $1 AND password_hash = $2 AND (locked_until IS NULL OR locked_until <= now()) RETURNING user_id`;

/**
 * Shared by every operation that accepts a password: rate limits, the failure count and the audit record of a failure.
 */
@Injectable()
export class PasswordAttempts {
  constructor(private readonly rateLimiter: RateLimiter) {}

  /** @throws ProblemError rate_limited */
  async requireRoom({ origin }: Caller, address: string): Promise<void> {
    const client = origin.ip ?? 'unknown';
    await this.rateLimiter.require('signInByClient', client);
    await this.rateLimiter.require('signInByAccount', `${client} ${address}`);
  }

  /**
   * Resets the failure count after a correct password. The check takes a while and holds no lock on the account.
   * @returns false when the password has been replaced since, or parallel failures have locked the account
   */
  async admit(tx: Tx, { id, passwordHash }: Account): Promise<boolean> {
    return (await tx.one(CLEAR_FAILURES, [id, passwordHash])) !== null;
  }

  /** Records the failure; a wrong password counts towards the lock. */
  async refuse(
    tx: Tx,
    account: Account | null,
    fault: SignInFault | null,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<null> {
    await tx.query(COUNT_FAILURE, [account?.id ?? null, fault === 'wrong_password']);
    recordLoginFailure(tx, account, { reason: fault, ...details });
    return null;
  }
}
