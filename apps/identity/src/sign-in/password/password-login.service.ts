import { asService, type Caller, invalid, ProblemError } from '@gatehouse/contracts-core';
import type { LoginDto, LoginResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../passwords/passwords.ts';
import { type Account, AccountsRepository, type LiveMembership } from '../../people/accounts.repository.ts';
import { foldEmail } from '../../people/email.ts';
import { SignInService } from '../sign-in.service.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { signInFault } from './sign-in-verdict.ts';

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

const refused = (): ProblemError => new ProblemError('invalid_credentials', 'Invalid email or password.');

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
   * POST /auth/login (decisions, "Sign-in, sessions, MFA, users"). Every failure has the same response and takes equally
   * long.
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
