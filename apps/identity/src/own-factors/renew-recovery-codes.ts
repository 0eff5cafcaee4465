import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { RecoveryCodesResponse } from '@gatehouse/contracts-identity';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { ChangeOfFactors } from './change-of-factors.ts';

/** POST /auth/mfa/recovery-codes: replaces the caller's recovery codes. */
@Injectable()
export class RenewRecoveryCodes {
  constructor(
    private readonly work: UnitOfWork,
    private readonly factorsRepository: FactorsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly changeOfFactors: ChangeOfFactors,
  ) {}

  execute(caller: UserCaller): Promise<RecoveryCodesResponse> {
    sessionOf(caller);
    return this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.renew(tx, caller),
      shownOnce(() => caller.userId),
    );
  }

  private async renew(tx: Tx, caller: UserCaller): Promise<RecoveryCodesResponse> {
    await this.changeOfFactors.requireOwnFactor(tx, caller);
    if ((await this.factorsRepository.confirmedKinds(tx, caller.userId)).length === 0)
      throw new ProblemError('factor_not_found', 'Recovery codes stand in for a second factor; enrol one first.');
    await this.resetLinksRepository.revoke(tx, caller.userId);
    tx.audit({
      action: 'user.mfa.enroll',
      resource: { type: 'user', id: caller.userId, name: caller.email },
      details: { kind: 'recovery_codes' },
    });
    return { recoveryCodes: await this.changeOfFactors.replaceRecoveryCodes(tx, caller.userId) };
  }
}
