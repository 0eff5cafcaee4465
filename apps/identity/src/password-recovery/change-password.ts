import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ChangePasswordDto, DoneResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';
import { requireAccountWide } from '../sessions/require-account-wide.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { requireUncommon } from '../passwords/password-rules.ts';
import { Passwords } from '../passwords/passwords.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { replacePassword } from '../passwords/store-password.ts';

const CURRENT = `SELECT password_hash FROM credentials WHERE user_id = $1`;

interface Facts {
  readonly governed: boolean;
  readonly passwordHash: string | null;
}

/** Reads what `ChangePassword` needs to know about the caller. */
@Injectable()
export class PasswordFacts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enforcement: EnforcementRepository,
  ) {}

  of(caller: UserCaller): Promise<Facts> {
    return this.work.read(caller, async (reader) => {
      await requireAccountWide(reader, caller);
      const row = await reader.one<{ passwordHash: string }>(CURRENT, [caller.userId]);
      return {
        passwordHash: row?.passwordHash ?? null,
        governed: await this.enforcement.isGovernedEverywhere(reader, caller.userId),
      };
    });
  }
}

/** POST /auth/change-password: requires the current password and revokes the user's other sessions. */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: PasswordFacts,
    private readonly passwords: Passwords,
    private readonly revocation: RevokeSessions,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws ProblemError permission_denied, sso_enforced, invalid_credentials, password_too_common */
  async execute(caller: UserCaller, { currentPassword, newPassword }: ChangePasswordDto): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    if ((await this.work.recalled<boolean>(caller, caller.idempotency))?.result) return { success: true };
    await this.limiter.require('signInByAccount', `change ${caller.userId}`);
    const { governed, passwordHash } = await this.facts.of(caller);
    if (governed)
      throw new ProblemError(
        'sso_enforced',
        'Your organisation signs in through its identity provider; you have no password here.',
      );
    if (!(await this.passwords.verify(passwordHash, currentPassword))) return this.refuse(caller);
    requireUncommon(newPassword);
    const hash = await this.passwords.hash(newPassword);
    const isChanged = await this.work.once(caller, caller.idempotency, (tx) =>
      this.change(tx, caller, { shown: passwordHash, next: hash, sessionId }),
    );
    return isChanged ? { success: true } : this.refuse(caller);
  }

  /** @returns false when the password was replaced during the check of the current one */
  private async change(
    tx: Tx,
    caller: UserCaller,
    { sessionId, ...passwords }: { shown: string | null; next: string; sessionId: string },
  ): Promise<boolean> {
    if (!(await replacePassword(tx, caller.userId, passwords))) return false;
    await revokeResetLinks(tx, caller.userId);
    await this.revocation.ofUser(tx, caller.userId, 'password_changed', { exceptSessionId: sessionId });
    tx.audit({ action: 'user.password.change', resource: { type: 'user', id: caller.userId, name: caller.email } });
    return true;
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
