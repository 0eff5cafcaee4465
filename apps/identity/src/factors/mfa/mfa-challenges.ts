import type { ServiceCaller } from '@gatehouse/contracts-core';
import type { MfaMethod, SignedInResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../people/accounts.repository.ts';
import { recordLoginFailure } from '../../people/login-failure.ts';
import { SignInService } from '../../sign-in/sign-in.service.ts';
import { deadChallenge, type MfaChallenge, MfaChallengesRepository } from '../../sign-in/mfa-challenges.repository.ts';

/** Sign-ins that wait for a second factor. */
@Injectable()
export class MfaChallenges {
  constructor(
    private readonly work: UnitOfWork,
    private readonly mfaChallengesRepository: MfaChallengesRepository,
    private readonly accountsRepository: AccountsRepository,
    private readonly signIn: SignInService,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async find(caller: ServiceCaller, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await this.work.read(caller, (reader) => this.mfaChallengesRepository.find(reader, tokenHash));
    if (!challenge) throw deadChallenge();
    return challenge;
  }

  /**
   * Admits an attempt. @throws ProblemError mfa_token_invalid, or rate_limited for all attempts of the user together
   */
  async admit(caller: ServiceCaller, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await this.find(caller, tokenHash);
    await this.rateLimiter.require('mfa', challenge.userId);
    return challenge;
  }

  /** Counts an attempt. @throws ProblemError mfa_token_invalid */
  async attempt(tx: Tx, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await this.mfaChallengesRepository.countAttempt(tx, tokenHash);
    if (!challenge) throw deadChallenge();
    return challenge;
  }

  /** Opens the session, unless the user may no longer sign in. */
  async complete(
    tx: Tx,
    { tokenHash, userId, membershipId, via }: MfaChallenge,
    mfaVia: MfaMethod,
  ): Promise<SignedInResponse> {
    await this.mfaChallengesRepository.delete(tx, tokenHash);
    const account = await this.accountsRepository.byId(tx, userId);
    const membership = account?.memberships.find(({ id }) => id === membershipId);
    if (!account || !membership) throw deadChallenge();
    return this.signIn.completePasswordSignIn(tx, { account, membership, via }, mfaVia);
  }

  async recordFailure(tx: Tx, { userId }: MfaChallenge, method: MfaMethod | undefined): Promise<null> {
    recordLoginFailure(tx, await this.accountsRepository.byId(tx, userId), {
      reason: 'wrong_second_factor',
      ...(method && { method }),
    });
    return null;
  }
}
