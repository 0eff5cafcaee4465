import type { UserCaller } from '@gatehouse/contracts-core';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { SecondFactors, wrongCode } from '../factors/second-factors.ts';
import { type RenewedTokens, sessionIdOf } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { ChangeOfFactors } from './change-of-factors.ts';
import { FinishEnrolment } from './finish-enrolment.ts';

type Confirmed = RenewedTokens & { readonly recoveryCodes: string[] };

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

  async execute(caller: UserCaller, code: string): Promise<Confirmed> {
    sessionOf(caller);
    await this.rateLimiter.require('mfa', caller.userId);
    const confirmed = await this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        await this.changeOfFactors.requireMayEnrol(tx, caller, 'totp');
        const isRight = await this.secondFactors.confirmTotp(tx, caller.userId, code);
        return isRight ? this.confirm(tx, caller) : this.refuse(tx, caller);
      },
      shownOnce<Confirmed | null>(sessionIdOf),
    );
    if (!confirmed) throw wrongCode();
    return confirmed;
  }

  private async confirm(tx: Tx, caller: UserCaller): Promise<Confirmed> {
    const recoveryCodes = await this.changeOfFactors.replaceRecoveryCodes(tx, caller.userId);
    return { recoveryCodes, ...(await this.finishEnrolment.execute(tx, caller, { kind: 'totp' })) };
  }

  private refuse(tx: Tx, { userId, email }: UserCaller): null {
    const resource = { type: 'user', id: userId, name: email };
    tx.audit({ action: 'user.mfa.enroll', resource, result: 'failure', details: { kind: 'totp' } });
    return null;
  }
}
