import type { UserCaller } from '@gatehouse/contracts-core';
import type { TotpEnrolmentResponse } from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { shownOnce, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { factorContext } from '../factors/second-factors.ts';
import { newTotpSecret, otpauthUrl } from '../factors/totp.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { ChangeOfFactors } from './change-of-factors.ts';

/** POST /auth/mfa/totp/enroll. The secret has no effect until it is confirmed; calling this again replaces it. */
@Injectable()
export class BeginTotpEnrolment {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    private readonly factorsRepository: FactorsRepository,
    private readonly changeOfFactors: ChangeOfFactors,
  ) {}

  execute(caller: UserCaller): Promise<TotpEnrolmentResponse> {
    const sessionId = sessionOf(caller);
    const [id, secret] = [newId(), newTotpSecret()] as const;
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        await this.changeOfFactors.requireMayEnrol(tx, caller, 'totp');
        await this.factorsRepository.insertPendingTotp(tx, {
          id,
          userId: caller.userId,
          sessionId,
          secretSealed: this.keys.seal(secret, factorContext(id)),
        });
        return { secret, otpauthUrl: otpauthUrl(caller.email, secret) };
      },
      shownOnce(() => id),
    );
  }
}
