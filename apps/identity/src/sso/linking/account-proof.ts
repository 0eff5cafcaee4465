import { ProblemError } from '@gatehouse/contracts-core';
import type { ConfirmLinkDto } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SecondFactors } from '../../people/second-factors.ts';
import { PasswordAttempts, signInFault, type SignInFault } from '../../sign-in/methods/password-login.service.ts';
import { Passwords } from '../../people/passwords/passwords.ts';
import { type Account, recordLoginFailure } from '../../people/accounts.repository.ts';

/** Checks a user's proof of an account. Failures count towards the same limits and lock as password sign-in. */
@Injectable()
export class AccountProof {
  constructor(
    private readonly passwords: Passwords,
    private readonly secondFactors: SecondFactors,
    readonly passwordAttempts: PasswordAttempts,
  ) {}

  /**
   * Accepts the password even of a user who is governed: here it proves the account to the provider.
   * @returns why the password does not prove the account, or null
   * @throws ProblemError mfa_required when the password is right and a code is needed; this consumes nothing
   */
  async faultOf(account: Account | null, { password, code }: ConfirmLinkDto): Promise<SignInFault | null> {
    const asked = account && { ...account, governed: false };
    const fault = signInFault(asked, await this.passwords.verify(account?.passwordHash ?? null, password));
    if (!fault && account && account.methods.length > 0 && !code)
      throw new ProblemError('mfa_required', 'A second factor is required as well.', { methods: account.methods });
    return fault;
  }

  /** @returns null when the account is not proved, which is recorded; `via: null` when the user has no second factor */
  async complete(
    tx: Tx,
    account: Account,
    {
      fault,
      code = '',
      details,
    }: { fault: SignInFault | null; code?: string; details: Readonly<Record<string, unknown>> },
  ): Promise<{ readonly via: string | null } | null> {
    const isAdmitted = !fault && (await this.passwordAttempts.admit(tx, account));
    if (!isAdmitted) return this.passwordAttempts.refuse(tx, account, fault ?? 'overtaken', details);
    if (account.methods.length === 0) return { via: null };
    const via = await this.secondFactors.check(tx, account.id, { code });
    if (!via) recordLoginFailure(tx, account, { reason: 'wrong_second_factor', ...details });
    return via && { via };
  }
}
