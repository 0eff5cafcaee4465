import type { UserCaller } from '@gatehouse/contracts-core';
import type { StepUpDto, TokensResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { RenewSession } from '../sessions/renew-session.ts';
import { sessionOf, wrongCode } from '../sessions/session-of.ts';
import { SecondFactors } from '../factors/second-factors.ts';

/** POST /auth/mfa/step-up: proves the second factor again, or for the first time in this session. */
@Injectable()
export class StepUp {
  constructor(
    private readonly work: UnitOfWork,
    private readonly factors: SecondFactors,
    private readonly renewal: RenewSession,
    private readonly limiter: RateLimiter,
  ) {}

  async execute(caller: UserCaller, shown: StepUpDto): Promise<TokensResponse> {
    const sessionId = sessionOf(caller);
    await this.limiter.require('mfa', caller.userId);
    const tokens = await this.work.once(caller, caller.idempotency, async (tx) => {
      const via = await this.factors.check(tx, caller.userId, shown);
      const result = via ? 'success' : 'failure';
      tx.audit({
        action: 'user.mfa.verify',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        result,
        details: via ? { via } : {},
      });
      return via && this.renewal.withMfa(tx, sessionId, via);
    });
    if (!tokens) throw wrongCode();
    const { accessToken, refreshToken, expiresInSeconds } = tokens;
    return { accessToken, refreshToken, expiresInSeconds };
  }
}
