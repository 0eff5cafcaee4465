import { asService, type Caller, type ServiceCaller, type UserCaller } from '@gatehouse/contracts-core';
import type { MfaMethod, MfaVerifyDto, SignedInResponse, StepUpDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { AccountsRepository, recordLoginFailure } from '../../people/accounts.repository.ts';
import { sessionOf } from '../../sessions/open-session.ts';
import { type RenewedTokens, sessionIdOf, SessionsService } from '../../sessions/sessions.service.ts';
import { deadChallenge, type MfaChallenge, MfaChallengesRepository } from '../mfa-challenges.repository.ts';
import { SignInService } from '../sign-in.service.ts';
import { SecondFactors, wrongCode } from '../../people/second-factors.ts';

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

@Injectable()
export class MfaService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly secondFactors: SecondFactors,
    private readonly sessions: SessionsService,
    private readonly rateLimiter: RateLimiter,
    private readonly mfaChallenges: MfaChallenges,
  ) {}

  /** POST /auth/mfa/step-up: proves the second factor again, or for the first time in this session. */
  async stepUpWithCode(caller: UserCaller, shown: StepUpDto): Promise<RenewedTokens> {
    const sessionId = sessionOf(caller);
    await this.rateLimiter.require('mfa', caller.userId);
    const tokens = await this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.prove(tx, caller, sessionId, shown),
      shownOnce<RenewedTokens | null>(sessionIdOf),
    );
    if (!tokens) throw wrongCode();
    return tokens;
  }

  private async prove(tx: Tx, caller: UserCaller, sessionId: string, shown: StepUpDto): Promise<RenewedTokens | null> {
    const via = await this.secondFactors.check(tx, caller.userId, shown);
    tx.audit({
      action: 'user.mfa.verify',
      resource: { type: 'user', id: caller.userId, name: caller.email },
      result: via ? 'success' : 'failure',
      details: via ? { via } : {},
    });
    return via && this.sessions.renew(tx, sessionId, via);
  }

  /** POST /auth/mfa/verify: the second step of a sign-in. */
  async verify(caller: Caller, { mfaToken, code, method }: MfaVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    const { userId } = await this.mfaChallenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.mfaChallenges.attempt(tx, tokenHash);
      const via = await this.secondFactors.check(tx, userId, { code, method });
      return via
        ? this.mfaChallenges.complete(tx, challenge, via)
        : this.mfaChallenges.recordFailure(tx, challenge, method);
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
