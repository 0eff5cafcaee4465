import type { MfaMethod } from '@gatehouse/contracts-identity';
import { KeyRing } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

const TOTP = `SELECT id, secret_sealed, extract(epoch FROM now())::float8 AS at FROM mfa_factors WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NOT NULL`;
/** Each time step counts once (RFC 6238 5.2), across all replicas. */
const USE_STEP = `UPDATE mfa_factors SET last_step = $2, last_used_at = now() WHERE id = $1 AND (last_step IS NULL OR last_step < $2) RETURNING id`;
const USE_RECOVERY_CODE = `DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id`;

interface TotpRow {
  readonly id: string;
  readonly secretSealed: string;
  /** Unix time in seconds, by the database's clock. */
  readonly at: number;
}

export interface ShownCode {
  readonly code: string;
  readonly method?: MfaMethod;
}

export const factorContext = (factorId: string): string => `mfa_factor:${factorId}`;
const looksLikeTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** Checks the codes that users enter as their second factor. */
@Injectable()
export class SecondFactors {
  constructor(private readonly keys: KeyRing) {}

  /** @returns the method that was proved, whose code is now used up; or null when the code is wrong */
  async check(tx: Tx, userId: string, { code, method }: ShownCode): Promise<MfaMethod | null> {
    const means = method ?? (looksLikeTotp(code) ? 'totp' : 'recovery_code');
    const right = means === 'totp' ? await this.totp(tx, userId, code) : await this.recoveryCode(tx, userId, code);
    return right ? means : null;
  }

  private async totp(tx: Tx, userId: string, code: string): Promise<boolean> {
    const factor = await tx.one<TotpRow>(TOTP, [userId]);
    if (!factor) return false;
    const step = matchingStep(this.keys.open(factor.secretSealed, factorContext(factor.id)), code, factor.at);
    return step !== null && (await tx.one(USE_STEP, [factor.id, step])) !== null;
  }

  private async recoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
    return (await tx.one(USE_RECOVERY_CODE, [userId, hashOfRecoveryCode(code)])) !== null;
  }
}
