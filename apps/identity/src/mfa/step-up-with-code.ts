import type { UserCaller } from '@gatehouse/contracts-core';
import type { StepUpDto } from '@gatehouse/contracts-identity';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { SecondFactors, wrongCode } from '../factors/second-factors.ts';
import { type RenewedTokens, RenewSession, sessionIdOf } from '../sessions/renew-session.ts';
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
    return via && this.renewSession.execute(tx, sessionId, via);
  }
}
