import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { TotpConfirmedResponse, TotpEnrolmentResponse } from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { RenewSession } from '../sessions/renew-session.ts';
import { sessionOf, wrongCode } from '../sessions/session-of.ts';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '../factors/recovery-codes.ts';
import { requireOwnFactor } from './require-own-factor.ts';
import { factorContext } from '../factors/second-factors.ts';
import { matchingStep, newTotpSecret, otpauthUrl } from '../factors/totp.ts';

const ENROLLED = `SELECT kind FROM mfa_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL`;
const DELETE_PENDING = `DELETE FROM mfa_factors WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NULL`;
const ADD = `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed) VALUES ($1, $2, 'totp', 'Authenticator app', $3)`;
const PENDING = `
  SELECT id, secret_sealed, extract(epoch FROM now())::float8 AS at FROM mfa_factors
   WHERE user_id = $1 AND kind = 'totp' AND confirmed_at IS NULL AND created_at > now() - interval '1 hour' FOR UPDATE`;
/** The confirming code is used up: each time step counts once (RFC 6238 5.2). */
const CONFIRM = `UPDATE mfa_factors SET confirmed_at = now(), last_step = $2, last_used_at = now() WHERE id = $1`;
const DELETE_CODES = `DELETE FROM recovery_codes WHERE user_id = $1`;
const ADD_CODES = `INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])`;

interface PendingFactor {
  readonly id: string;
  readonly secretSealed: string;
  readonly at: number;
}

/**
 * A user may add a factor if they have none yet, or have just proved the one they have.
 * @throws ProblemError mfa_required; factor_exists for a second authenticator app
 */
export async function requireMayEnrol(tx: Tx, caller: UserCaller, kind: 'totp' | 'webauthn'): Promise<void> {
  const factors = await tx.query<{ kind: string }>(ENROLLED, [caller.userId]);
  if (factors.length > 0 && !caller.mfa)
    throw new ProblemError('mfa_required', 'Confirm your second factor before you add another.');
  await requireOwnFactor(tx, caller);
  if (kind === 'totp' && factors.some((factor) => factor.kind === 'totp'))
    throw new ProblemError('factor_exists', 'You have an authenticator app already; remove it first.');
}

/** Replaces the recovery codes. @returns the new codes, which are shown only once */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.query(DELETE_CODES, [userId]);
  await tx.query(ADD_CODES, [userId, codes.map(hashOfRecoveryCode)]);
  return codes;
}

/** POST /auth/mfa/totp/enroll and /confirm. */
@Injectable()
export class EnrolTotp {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    private readonly renewal: RenewSession,
    private readonly limiter: RateLimiter,
  ) {}

  /** Creates a secret. It has no effect until it is confirmed, and calling this again replaces it. */
  begin(caller: UserCaller): Promise<TotpEnrolmentResponse> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await requireMayEnrol(tx, caller, 'totp');
      const [id, secret] = [newId(), newTotpSecret()] as const;
      await tx.query(DELETE_PENDING, [caller.userId]);
      await tx.query(ADD, [id, caller.userId, this.keys.seal(secret, factorContext(id))]);
      return { secret, otpauthUrl: otpauthUrl(caller.email ?? caller.name, secret) };
    });
  }

  async confirm(caller: UserCaller, code: string): Promise<TotpConfirmedResponse> {
    const sessionId = sessionOf(caller);
    await this.limiter.require('mfa', caller.userId);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await requireMayEnrol(tx, caller, 'totp');
      const factor = await tx.one<PendingFactor>(PENDING, [caller.userId]);
      const step =
        factor && matchingStep(this.keys.open(factor.secretSealed, factorContext(factor.id)), code, factor.at);
      if (!factor || step === null) throw wrongCode();
      await tx.query(CONFIRM, [factor.id, step]);
      await revokeResetLinks(tx, caller.userId);
      const recoveryCodes = await replaceRecoveryCodes(tx, caller.userId);
      const { sessionId: _, ...tokens } = await this.renewal.withMfa(tx, sessionId, 'totp');
      tx.audit({
        action: 'user.mfa.enroll',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { kind: 'totp' },
      });
      return { recoveryCodes, ...tokens };
    });
  }
}
