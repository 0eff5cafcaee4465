import { type Caller, Refusal } from '@gatehouse/contracts-core';
import type { ConfirmLinkDto } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { type Limit, type LimitName, RateLimiter } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { SecondFactors } from '../mfa/second-factors.ts';
import { Passwords } from '../passwords/passwords.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';

/** How the owner of an account proves it; counted like sign-ins. */
@Injectable()
export class AccountProof {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly limiter: RateLimiter,
    @Inject(RATE_LIMITS) private readonly limits: Record<LimitName, Limit>,
  ) {}

  async requireRoom(caller: Caller, tokenHash: string): Promise<void> {
    const client = caller.origin.ip ?? 'unknown';
    await this.limiter.require(this.limits.signInByClient, client);
    await this.limiter.require(this.limits.signInByAccount, `${client} ${tokenHash}`);
  }

  accountOf(...[reader, userId]: Parameters<AccountsRepository['byId']>): Promise<Account | null> {
    return this.accounts.byId(reader, userId);
  }

  /** @throws Refusal mfa_required when the password is right and a code is needed: nothing is used up */
  async verifies(account: Account | null, { password, code }: ConfirmLinkDto): Promise<boolean> {
    const isRight = await this.passwords.verify(account?.passwordHash ?? null, password);
    const mayTry = account !== null && !account.locked && account.status === 'active';
    if (isRight && mayTry && account.methods.length > 0 && !code) throw new Refusal('mfa_required', 'A second factor is needed as well.', { methods: account.methods });
    return isRight && mayTry;
  }

  /** @returns null when the code is wrong; `via: null` when the account has no second factor */
  async secondFactor(tx: Tx, { id, methods }: Account, { code }: ConfirmLinkDto): Promise<{ readonly via: string | null } | null> {
    if (methods.length === 0) return { via: null };
    const via = await this.factors.check(tx, id, { code: code ?? '' });
    return via && { via };
  }
}
