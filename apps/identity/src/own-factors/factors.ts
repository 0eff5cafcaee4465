import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  DoneResponse,
  FactorListResponse,
  FactorRecord,
  RecoveryCodesResponse,
} from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { publishPrincipalsChanged } from '../sessions/publish-principals-changed.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { replaceRecoveryCodes } from './enrol-totp.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { requireOwnFactor } from './require-own-factor.ts';

const LIST = `SELECT id, kind, name, created_at, last_used_at FROM mfa_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL ORDER BY created_at, id`;
const REMOVE = `DELETE FROM mfa_factors WHERE id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL RETURNING kind`;
const LOCK_USER = `SELECT break_glass FROM users WHERE id = $1 FOR UPDATE`;
const DELETE_CODES = `DELETE FROM recovery_codes WHERE user_id = $1`;

/** GET and DELETE /auth/mfa/factors, POST /auth/mfa/recovery-codes: the caller's own factors. */
@Injectable()
export class Factors {
  constructor(
    private readonly work: UnitOfWork,
    private readonly revocation: RevokeSessions,
  ) {}

  async list(caller: UserCaller): Promise<FactorListResponse> {
    return { data: await this.work.read(caller, (reader) => reader.query<FactorRecord>(LIST, [caller.userId])) };
  }

  /**
   * Also revokes the user's other sessions: one of them may have been opened with the removed factor.
   * @throws ProblemError mfa_required, factor_not_found, conflict
   */
  async remove(caller: UserCaller, id: string): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.run(caller, async (tx) => {
      const person = await tx.one<{ breakGlass: boolean }>(LOCK_USER, [caller.userId]);
      await requireOwnFactor(tx, caller);
      const removed = await tx.one<{ kind: string }>(REMOVE, [id, caller.userId]);
      if (!removed) throw new ProblemError('factor_not_found', 'You have no such factor.');
      await this.settle(tx, caller.userId, person?.breakGlass ?? false);
      await revokeResetLinks(tx, caller.userId);
      await this.revocation.ofUser(tx, caller.userId, 'factor_removed', { exceptSessionId: sessionId });
      publishPrincipalsChanged(tx, caller.userId, 'userIds', [caller.userId]);
      tx.audit({
        action: 'user.mfa.remove',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { kind: removed.kind, factorId: id },
      });
    });
    return { success: true };
  }

  /** @throws ProblemError mfa_required, factor_not_found */
  newRecoveryCodes(caller: UserCaller): Promise<RecoveryCodesResponse> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await requireOwnFactor(tx, caller);
      if ((await tx.query(LIST, [caller.userId])).length === 0)
        throw new ProblemError('factor_not_found', 'Recovery codes stand in for a second factor; enrol one first.');
      await revokeResetLinks(tx, caller.userId);
      tx.audit({
        action: 'user.mfa.enroll',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { kind: 'recovery_codes' },
      });
      return { recoveryCodes: await replaceRecoveryCodes(tx, caller.userId) };
    });
  }

  private async settle(tx: Tx, userId: string, breakGlass: boolean): Promise<void> {
    if ((await tx.query(LIST, [userId])).length > 0) return;
    if (breakGlass) throw new ProblemError('conflict', 'A break-glass person keeps at least one second factor.');
    await tx.query(DELETE_CODES, [userId]);
  }
}
