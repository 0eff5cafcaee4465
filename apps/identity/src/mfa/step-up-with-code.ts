import type { UserCaller } from '@gatehouse/contracts-core';
import type { StepUpDto } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { SecondFactors, wrongCode } from '../factors/second-factors.ts';
import { type RenewedTokens, RenewSession } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';

/** POST /auth/mfa/step-up: proves the second factor again, or for the first time in this session. */
@Injectable()
export class StepUpWithCode {
  constructor(
    private readonly work: UnitOfWork,
    private readonly secondFactors: SecondFactors,
    private readonly renewSession: RenewSession,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async execute(caller: UserCaller, shown: StepUpDto): Promise<RenewedTokens> {
    const sessionId = sessionOf(caller);
    await this.rateLimiter.require('mfa', caller.userId);
    const tokens = await this.work.once(caller, caller.idempotency, async (tx) => {
      const via = await this.secondFactors.check(tx, caller.userId, shown);
      const result = via ? 'success' : 'failure';
      tx.audit({
        action: 'user.mfa.verify',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        result,
        details: via ? { via } : {},
      });
      return via && this.renewSession.execute(tx, sessionId, via);
    });
    if (!tokens) throw wrongCode();
    return tokens;
  }
}
