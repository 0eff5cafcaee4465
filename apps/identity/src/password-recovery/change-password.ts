import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ChangePasswordDto, DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { requireUncommon } from '../passwords/password-rules.ts';
import { Passwords } from '../passwords/passwords.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { PasswordFacts } from './password-facts.ts';
import { ReplacePassword } from './replace-password.ts';

/** POST /auth/change-password: requires the current password and revokes the user's other sessions. */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly passwordFacts: PasswordFacts,
    private readonly passwords: Passwords,
    private readonly replacePassword: ReplacePassword,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /** @throws ProblemError permission_denied, sso_enforced, invalid_credentials, password_too_common */
  async execute(caller: UserCaller, { currentPassword, newPassword }: ChangePasswordDto): Promise<DoneResponse> {
    sessionOf(caller);
    if ((await this.work.recalled<boolean>(caller, caller.idempotency))?.result) return { success: true };
    await this.rateLimiter.require('signInByAccount', `change ${caller.userId}`);
    const { governed, passwordHash } = await this.passwordFacts.of(caller);
    if (governed)
      throw new ProblemError(
        'sso_enforced',
        'Your organisation signs in through its identity provider; you have no password here.',
      );
    if (!(await this.passwords.verify(passwordHash, currentPassword))) return this.refuse(caller);
    requireUncommon(newPassword);
    const hash = await this.passwords.hash(newPassword);
    const isChanged = await this.work.once(caller, caller.idempotency, (tx) =>
      this.replacePassword.execute(tx, caller, { shown: passwordHash, next: hash }),
    );
    return isChanged ? { success: true } : this.refuse(caller);
  }

  /**
   * Audits the failure, because an attacker with a stolen session guesses passwords here. The failure is not stored
   * under the idempotency key: a repeated request is checked again. If the first request with this key has replaced the
   * password since the last lookup, the repeated one gets its response.
   */
  private async refuse(caller: UserCaller): Promise<DoneResponse> {
    if ((await this.work.recalled<boolean>(caller, caller.idempotency))?.result) return { success: true };
    await this.work.run(caller, async (tx) =>
      tx.audit({
        action: 'user.password.change',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        result: 'failure',
        details: { reason: 'wrong_password' },
      }),
    );
    throw new ProblemError('invalid_credentials', 'The current password is not right.');
  }
}
