import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { SecondFactors, wrongCode } from '../factors/second-factors.ts';
import type { RenewedTokens } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { ChangeOfFactors } from './change-of-factors.ts';
import { FinishEnrolment } from './finish-enrolment.ts';

/** POST /auth/mfa/totp/confirm: a first code proves that the authenticator app has the secret. */
@Injectable()
export class ConfirmTotp {
  constructor(
    private readonly work: UnitOfWork,
    private readonly secondFactors: SecondFactors,
    private readonly changeOfFactors: ChangeOfFactors,
    private readonly finishEnrolment: FinishEnrolment,
    private readonly rateLimiter: RateLimiter,
  ) {}

  async execute(caller: UserCaller, code: string): Promise<RenewedTokens & { recoveryCodes: string[] }> {
    sessionOf(caller);
    await this.rateLimiter.require('mfa', caller.userId);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.changeOfFactors.requireMayEnrol(tx, caller, 'totp');
      if (!(await this.secondFactors.confirmTotp(tx, caller.userId, code))) throw wrongCode();
      const recoveryCodes = await this.changeOfFactors.replaceRecoveryCodes(tx, caller.userId);
      return { recoveryCodes, ...(await this.finishEnrolment.execute(tx, caller, { kind: 'totp' })) };
    });
  }
}
