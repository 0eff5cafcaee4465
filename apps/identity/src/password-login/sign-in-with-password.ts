import { asService, type Caller, Refusal } from '@gatehouse/contracts-core';
import type { LoginAnswer, LoginInput } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type LimitName, type Limit, RateLimiter } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { foldEmail } from '../people/email.ts';
import { recordLoginFailure } from '../people/login-failure.ts';
import { Passwords } from '../passwords/passwords.ts';
import { chooseMembership, CompleteSignIn } from './complete-sign-in.ts';
import { signInFault, type SignInFault } from './sign-in-verdict.ts';

/** Five failures lock the account for 15 minutes; the first one after that begins a new count. */
const COUNT_FAILURE = `
  UPDATE credentials
     SET failed_attempts = CASE WHEN locked_until <= now() THEN 1 ELSE failed_attempts + 1 END,
         locked_until = CASE WHEN locked_until <= now() OR failed_attempts + 1 < 5 THEN NULL ELSE now() + interval '15 minutes' END
   WHERE user_id = $1 AND $2::boolean`;
/** Finds no row when failures in parallel have locked the account meanwhile: then the right password does not help either. */
const CLEAR_FAILURES = `
  UPDATE credentials SET failed_attempts = 0, locked_until = NULL
   WHERE user_id = $1 AND (locked_until IS NULL OR locked_until <= now()) RETURNING user_id`;

const refused = (): Refusal => new Refusal('invalid_credentials', 'Invalid email or password.');

/** POST /auth/login (decisions, "Sign-in, sessions, MFA, users"). Every failure looks and lasts the same. */
@Injectable()
export class SignInWithPassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly completion: CompleteSignIn,
    private readonly limiter: RateLimiter,
    @Inject(RATE_LIMITS) private readonly limits: Record<LimitName, Limit>,
  ) {}

  async execute(caller: Caller, { email, password, membershipId }: LoginInput): Promise<LoginAnswer> {
    const address = foldEmail(email);
    const client = caller.origin.ip ?? 'unknown';
    await this.limiter.require(this.limits.signInByClient, client);
    await this.limiter.require(this.limits.signInByAccount, `${client} ${address}`);
    const service = asService('identity', caller.origin);
    const account = await this.work.read(service, (reader) => this.accounts.byEmail(reader, address));
    const matches = await this.passwords.verify(account?.passwordHash ?? null, password);
    const fault = signInFault(account, matches);
    const answer = await this.work.run(service, (tx) => (account && !fault ? this.signIn(tx, account, membershipId) : this.refuse(tx, account, fault)));
    if (!answer) throw refused();
    return answer;
  }

  private async signIn(tx: Tx, account: Account, membershipId: string | undefined): Promise<LoginAnswer | null> {
    if (!(await tx.one(CLEAR_FAILURES, [account.id]))) return this.refuse(tx, account, 'locked');
    const membership = chooseMembership(account.memberships, membershipId);
    if (!membership) return { membershipRequired: true, memberships: [...account.memberships] };
    return this.completion.proceed(tx, { account, membership, via: 'password' });
  }

  private async refuse(tx: Tx, account: Account | null, fault: SignInFault | null): Promise<null> {
    await tx.query(COUNT_FAILURE, [account?.id ?? null, fault === 'wrong_password']);
    recordLoginFailure(tx, account, { reason: fault });
    return null;
  }
}
