import { ProblemError, type ServiceCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PasswordAttempts } from '../sign-in/methods/password-login.service.ts';
import { CredentialsRepository, ResetLinksRepository } from '../people/passwords/credentials.repository.ts';
import { Passwords, requireUncommon } from '../people/passwords/passwords.ts';
import type { Account } from '../people/accounts.repository.ts';

export const wrongPassword = (): ProblemError => new ProblemError('invalid_credentials');

/**
 * Checks the password that accepts an invitation: either a first password, or the account's existing one, whose
 * failures count as at a sign-in.
 */
@Injectable()
export class InvitedPassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly passwords: Passwords,
    private readonly passwordAttempts: PasswordAttempts,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
  ) {}

  /** @returns the hash of a first password, or null when the user proved the account's existing password */
  async judge(service: ServiceCaller, account: Account | null, password: string): Promise<string | null> {
    if (!account || account.passwordHash === null) {
      requireUncommon(password);
      return this.passwords.hash(password);
    }
    await this.passwordAttempts.requireRoom(service, account.email);
    const isRight = await this.passwords.verify(account.passwordHash, password);
    if (isRight && !account.locked) return null;
    await this.work.run(service, (tx) =>
      this.passwordAttempts.refuse(tx, account, account.locked ? 'locked' : 'wrong_password', { via: 'invitation' }),
    );
    throw wrongPassword();
  }

  /** @returns false, and records a failure, when the proved password is no longer valid */
  async admit(tx: Tx, account: Account): Promise<boolean> {
    const isAdmitted = await this.passwordAttempts.admit(tx, account);
    if (!isAdmitted) await this.passwordAttempts.refuse(tx, account, 'overtaken', { via: 'invitation' });
    return isAdmitted;
  }

  async store(tx: Tx, userId: string, hash: string): Promise<void> {
    await this.credentialsRepository.insertUnlessPresent(tx, userId, hash);
    await this.resetLinksRepository.revoke(tx, userId);
  }
}
