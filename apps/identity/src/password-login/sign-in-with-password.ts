import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { LoginResponse, LoginDto } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { foldEmail } from '../people/email.ts';
import { Passwords } from '../passwords/passwords.ts';
import { ContinuePasswordSignIn } from '../sign-in/continue-password-sign-in.ts';
import { chooseMembership } from './choose-membership.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { signInFault } from './sign-in-verdict.ts';

const refused = (): ProblemError => new ProblemError('invalid_credentials', 'Invalid email or password.');

/**
 * POST /auth/login (decisions, "Sign-in, sessions, MFA, users"). Every failure has the same response and takes equally
 * long.
 */
@Injectable()
export class SignInWithPassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly continuePasswordSignIn: ContinuePasswordSignIn,
    private readonly passwordAttempts: PasswordAttempts,
  ) {}

  async execute(caller: Caller, { email, password, membershipId }: LoginDto): Promise<LoginResponse> {
    const address = foldEmail(email);
    await this.passwordAttempts.requireRoom(caller, address);
    const service = asService('identity', caller.origin);
    const account = await this.work.read(service, (reader) => this.accountsRepository.byEmail(reader, address));
    const matches = await this.passwords.verify(account?.passwordHash ?? null, password);
    const fault = signInFault(account, matches, membershipId);
    const answer = await this.work.run(service, (tx) =>
      account && !fault ? this.signIn(tx, account, membershipId) : this.passwordAttempts.refuse(tx, account, fault),
    );
    if (!answer) throw refused();
    return answer;
  }

  private async signIn(tx: Tx, account: Account, membershipId: string | undefined): Promise<LoginResponse | null> {
    if (!(await this.passwordAttempts.admit(tx, account)))
      return this.passwordAttempts.refuse(tx, account, 'overtaken');
    const open = account.memberships.filter(({ governed }) => !governed);
    const membership = chooseMembership(open, membershipId);
    if (!membership) return { membershipRequired: true, memberships: open.map(({ governed: _, ...choice }) => choice) };
    return this.continuePasswordSignIn.execute(tx, { account, membership, via: 'password' });
  }
}
