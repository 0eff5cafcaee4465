import { asService, type Caller, invalid, ProblemError } from '@gatehouse/contracts-core';
import type { LoginDto, LoginResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import {
  type Account,
  AccountsRepository,
  type LiveMembership,
  recordLoginFailure,
} from '../../people/accounts.repository.ts';
import { foldEmail } from '@gatehouse/identity-domain';
import { CredentialsRepository } from '../../people/passwords/credentials.repository.ts';
import { Passwords } from '../../people/passwords/passwords.ts';
import { SignInService } from '../sign-in.service.ts';

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

/**
 * Why a password sign-in fails. The audit log records the reason; responses are the same for all of them. `overtaken`:
 * the password was correct, but was replaced, or its account locked, during the check.
 */
export type SignInFault =
  'unknown_user' | 'sso_enforced' | 'locked' | 'wrong_password' | 'not_active' | 'no_membership' | 'overtaken';

/**
 * The order prevents disclosure: enforcement and locks are checked before the password, so for such accounts a correct
 * password gives the same result as a wrong one.
 * @param chosenId the membership that the user wants to sign in to, if they chose one
 */
export function signInFault(account: Account | null, passwordMatches: boolean, chosenId?: string): SignInFault | null {
  if (!account) return 'unknown_user';
  if (account.governed || account.memberships.some(({ id, governed }) => governed && id === chosenId))
    return 'sso_enforced';
  if (account.locked) return 'locked';
  if (!passwordMatches) return 'wrong_password';
  if (account.status !== 'active') return 'not_active';
  return account.memberships.length === 0 ? 'no_membership' : null;
}

/**
 * @returns the chosen membership, or the only one; null when there are several and the user has not chosen
 * @throws ProblemError validation_failed when the chosen membership does not belong to the user
 */
function chooseMembership(memberships: readonly LiveMembership[], chosenId: string | undefined): LiveMembership | null {
  if (chosenId === undefined) return memberships.length === 1 ? (memberships[0] ?? null) : null;
  const chosen = memberships.find(({ id }) => id === chosenId);
  if (!chosen) throw invalid('membershipId', 'must be one of your memberships');
  return chosen;
}

const refused = (): ProblemError => new ProblemError('invalid_credentials');

@Injectable()
export class PasswordLoginService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly signIn: SignInService,
    private readonly passwordAttempts: PasswordAttempts,
  ) {}

  /**
   * POST /auth/login (decisions, "Sign-in, sessions, MFA, users"). All failures are alike in response and time.
   */
  async signInWithPassword(caller: Caller, { email, password, membershipId }: LoginDto): Promise<LoginResponse> {
    const address = foldEmail(email);
    await this.passwordAttempts.requireRoom(caller, address);
    const service = asService('identity', caller.origin);
    const account = await this.work.read(service, (reader) => this.accountsRepository.byEmail(reader, address));
    const matches = await this.passwords.verify(account?.passwordHash ?? null, password);
    const fault = signInFault(account, matches, membershipId);
    const answer = await this.work.run(service, (tx) =>
      account && !fault ? this.enter(tx, account, membershipId) : this.passwordAttempts.refuse(tx, account, fault),
    );
    if (!answer) throw refused();
    return answer;
  }

  private async enter(tx: Tx, account: Account, membershipId: string | undefined): Promise<LoginResponse | null> {
    if (!(await this.passwordAttempts.admit(tx, account)))
      return this.passwordAttempts.refuse(tx, account, 'overtaken');
    const open = account.memberships.filter(({ governed }) => !governed);
    const membership = chooseMembership(open, membershipId);
    if (!membership)
      return { membershipRequired: true, memberships: open.map(({ governed: _, upcoming: _u, ...choice }) => choice) };
    return this.signIn.continuePasswordSignIn(tx, { account, membership, via: 'password' });
  }
}
