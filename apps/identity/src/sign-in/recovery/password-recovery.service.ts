import { asService, type Caller, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ChangePasswordDto, DoneResponse, MessageResponse, ResetPasswordDto } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Mailer } from '../../mail/mailer.ts';
import { passwordResetMail } from '../../mail/templates.ts';
import { type Account, AccountsRepository, tenantOf } from '../../people/accounts.repository.ts';
import { foldEmail } from '@gatehouse/identity-domain';
import { EnforcementRepository } from '../../providers/enforcement/enforcement.repository.ts';
import { sessionOf } from '../../sessions/open-session.ts';
import { RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { SessionsService } from '../../sessions/sessions.service.ts';
import { CredentialsRepository, ResetLinksRepository } from '../../people/passwords/credentials.repository.ts';
import { Passwords, requireUncommon } from '../../people/passwords/passwords.ts';

interface Facts {
  /** All memberships of the user are governed. */
  readonly governed: boolean;
  readonly passwordHash: string | null;
}

/** Reads the facts about the caller that decide whether they may change their password. */
@Injectable()
export class PasswordFacts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessions: SessionsService,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  of(caller: UserCaller): Promise<Facts> {
    return this.work.read(caller, async (reader) => {
      await this.sessions.requireAccountWide(reader, caller);
      return {
        passwordHash: await this.credentialsRepository.passwordHashOf(reader, caller.userId),
        governed: await this.enforcementRepository.isGovernedEverywhere(reader, caller.userId),
      };
    });
  }
}

/**
 * A request for an address with an account takes a few milliseconds longer. Every response waits at least this long, to
 * hide the difference.
 */
const MIN_MS = 150;

const ANSWER: MessageResponse = { success: true, message: 'If this address has an account, an e-mail is on its way.' };

/** Suspended users, and users whom an identity provider signs in, get no mail (SSO-42). */
const mayReset = (account: Account | null): account is Account =>
  account !== null && account.status === 'active' && account.memberships.length > 0 && !account.governed;

const RESET_PASSWORD_ANSWER: MessageResponse = { success: true, message: 'Your password is set; sign in with it.' };

const invalidToken = (): ProblemError =>
  new ProblemError('reset_token_invalid', 'This link is no longer valid; ask for another.');

/** The name of the tenant of a user who has one membership. */
const onlyTenantOf = ([membership, ...others]: Account['memberships']): string | null =>
  membership && others.length === 0 ? (membership.orgName ?? membership.partnerName) : null;

@Injectable()
export class PasswordRecoveryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly passwordFacts: PasswordFacts,
    private readonly passwords: Passwords,
    private readonly rateLimiter: RateLimiter,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly accountsRepository: AccountsRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** POST /auth/change-password: requires the current password and revokes the user's other sessions. */
  async changePassword(caller: UserCaller, { currentPassword, newPassword }: ChangePasswordDto): Promise<DoneResponse> {
    if ((await this.work.recalled<boolean>(caller, caller.idempotency))?.result) return { success: true };
    await this.rateLimiter.require('signInByAccount', `change ${caller.userId}`);
    const { governed, passwordHash } = await this.passwordFacts.of(caller);
    if (governed)
      throw new ProblemError(
        'sso_enforced',
        'Your organisation signs in with its identity provider; you have no password here.',
      );
    if (!(await this.passwords.verify(passwordHash, currentPassword))) return this.refuse(caller);
    requireUncommon(newPassword);
    const hash = await this.passwords.hash(newPassword);
    const isChanged = await this.work.once(caller, caller.idempotency, (tx) =>
      this.replacePassword(tx, caller, { shown: passwordHash, next: hash }),
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
    throw new ProblemError('invalid_credentials', 'The current password is not correct.');
  }

  /**
   * Replaces the caller's proved password, and revokes mailed reset links and the caller's other sessions.
   * @returns false when the password was replaced during the check of the current one
   */
  async replacePassword(
    tx: Tx,
    caller: UserCaller,
    hashes: { readonly shown: string | null; readonly next: string },
  ): Promise<boolean> {
    const { userId, email } = caller;
    if (!(await this.credentialsRepository.replace(tx, userId, hashes))) return false;
    await this.resetLinksRepository.revoke(tx, userId);
    await this.revokeSessions.ofUser(tx, userId, 'password_changed', { exceptSessionId: sessionOf(caller) });
    tx.audit({ action: 'user.password.change', resource: { type: 'user', id: userId, name: email } });
    return true;
  }

  /** POST /auth/forgot-password: the same response for every address. */
  async requestPasswordReset(caller: Caller, email: string): Promise<MessageResponse> {
    await Promise.all([this.request(caller, foldEmail(email)), wait(MIN_MS)]);
    return ANSWER;
  }

  private async request(caller: Caller, address: string): Promise<void> {
    const { allowed } = await this.rateLimiter.use('forgotPassword', address);
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      const account = await this.accountsRepository.byEmail(tx, address);
      if (allowed && mayReset(account)) await this.sendResetLink(tx, account);
    });
  }

  /** POST /auth/reset-password: the mailed token works once, and all sessions of the user are revoked. */
  async resetPassword(caller: Caller, { token, password }: ResetPasswordDto): Promise<MessageResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const isValid = await this.work.read(service, (reader) => this.resetLinksRepository.isValid(reader, tokenHash));
    if (!isValid) throw invalidToken();
    requireUncommon(password);
    const hash = await this.passwords.hash(password);
    await this.work.run(service, async (tx) => {
      const userId = await this.resetLinksRepository.consume(tx, tokenHash);
      const account = userId === null ? null : await this.accountsRepository.byId(tx, userId);
      if (account?.status !== 'active' || account.memberships.length === 0) throw invalidToken();
      // The user became governed after the mail was sent: nothing changes, and the response does not reveal it.
      if (account.governed) return;
      await this.resetLinksRepository.revoke(tx, account.id);
      await this.credentialsRepository.store(tx, account.id, hash);
      await this.revokeSessions.ofUser(tx, account.id, 'password_reset');
      tx.audit({
        action: 'user.password.reset',
        resource: { type: 'user', id: account.id, name: account.email },
        actor: { type: 'user', id: account.id, name: account.name },
        ...tenantOf(account.memberships),
      });
    });
    return RESET_PASSWORD_ANSWER;
  }

  /** Mails a link to set a new password. It works once and for an hour; only the hash of its token is stored. */
  async sendResetLink(tx: Tx, { id, email, memberships }: Account): Promise<void> {
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
