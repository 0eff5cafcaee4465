import { ProblemError } from '@gatehouse/contracts-core';
import type { MfaMethod } from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository, type StoredTotp } from './factors.repository.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

export interface ShownCode {
  readonly code: string;
  readonly method?: MfaMethod;
}

export const factorContext = (factorId: string): string => `mfa_factor:${factorId}`;
export const wrongCode = (): ProblemError =>
  new ProblemError('mfa_code_invalid', 'This code is not valid, or was used already.');
const looksLikeTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** Checks the codes that users enter as their second factor. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly keys: KeyRing,
    private readonly factorsRepository: FactorsRepository,
  ) {}

  /** @returns the method that was proved, whose code is now used up; or null when the code is wrong */
  async check(tx: Tx, userId: string, { code, method }: ShownCode): Promise<MfaMethod | null> {
    const means = method ?? (looksLikeTotp(code) ? 'totp' : 'recovery_code');
    const isRight =
      means === 'totp'
        ? await this.isTotpRight(tx, userId, code)
        : await this.factorsRepository.useRecoveryCode(tx, userId, hashOfRecoveryCode(code));
    return isRight ? means : null;
  }

  /** Confirms the pending authenticator app of a user with its first code. @returns false when the code is wrong */
  async confirmTotp(tx: Tx, userId: string, code: string): Promise<boolean> {
    const factor = await this.factorsRepository.lockPendingTotp(tx, userId);
    const step = factor && this.stepOf(factor, code);
    if (!factor || step === null) return false;
    await this.factorsRepository.confirmTotp(tx, factor.id, step);
    return true;
  }

  private async isTotpRight(tx: Tx, userId: string, code: string): Promise<boolean> {
    const factor = await this.factorsRepository.findTotp(tx, userId);
    if (!factor) return false;
    const step = this.stepOf(factor, code);
    return step !== null && this.factorsRepository.useStep(tx, factor.id, step);
  }

  private stepOf({ id, secretSealed, at }: StoredTotp, code: string): number | null {
    return matchingStep(this.keys.open(secretSealed, factorContext(id)), code, at);
  }
}
