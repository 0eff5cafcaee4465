import { asService, type Caller, type UserCaller } from '@gatehouse/contracts-core';
import type { MfaVerifyDto, SignedInResponse, StepUpDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { SecondFactors, wrongCode } from '../second-factors.ts';
import { sessionOf } from '../../sessions/session-of.ts';
import { type RenewedTokens, sessionIdOf, SessionsService } from '../../sessions/sessions.service.ts';
import { MfaChallenges } from './mfa-challenges.ts';

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
