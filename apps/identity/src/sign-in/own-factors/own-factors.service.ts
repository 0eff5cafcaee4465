import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  DoneResponse,
  FactorListResponse,
  RecoveryCodesResponse,
  TotpEnrolmentResponse,
} from '@gatehouse/contracts-identity';
import { KeyRing, newId } from '@gatehouse/crypto';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { tenantOf } from '../../people/accounts.repository.ts';
import { UsersRepository } from '../../people/users.repository.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { sessionOf } from '../../sessions/open-session.ts';
import { type RenewedTokens, sessionIdOf, SessionsService } from '../../sessions/sessions.service.ts';
import { ResetLinksRepository } from '../../people/passwords/credentials.repository.ts';
import { FactorsRepository } from '../../people/factors.repository.ts';
import {
  factorContext,
  hashOfRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  SecondFactors,
  wrongCode,
} from '../../people/second-factors.ts';

/** The rules that every change of a user's own factors shares. */
@Injectable()
export class ChangeOfFactors {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * A user may add a factor if they have none yet, or have just proved the one they have.
   * @throws ProblemError permission_denied, mfa_required; factor_exists for a second authenticator app
   */
  async requireMayEnrol(tx: Tx, caller: UserCaller, kind: 'totp' | 'webauthn'): Promise<void> {
    // A concurrent invitation may give the user a membership elsewhere: one of the two waits for the other.
    await this.usersRepository.lock(tx, caller.userId);
    const kinds = await this.factorsRepository.confirmedKinds(tx, caller.userId);
    if (kinds.length > 0 && !caller.mfa)
      throw new ProblemError('mfa_required', 'Confirm your second factor before you add another.');
    await this.requireOwnFactor(tx, caller);
    if (kind === 'totp' && kinds.includes('totp'))
      throw new ProblemError('factor_exists', 'You already have an authenticator app; remove it first.');
  }

  /**
   * A provider's second factor counts only for the provider's tenant; a user's own factors protect the whole account. A
   * user who has a factor of their own must prove it before factors or recovery codes change.
   * @throws ProblemError permission_denied for the session of one tenant's provider, mfa_required
   */
  async requireOwnFactor(tx: Tx, caller: UserCaller): Promise<void> {
    await this.sessions.requireAccountWide(tx, caller);
    if (await this.factorsRepository.isVouchedFor(tx, caller.sessionId))
      throw new ProblemError(
        'mfa_required',
        'Confirm your own second factor first; your identity provider’s does not count here.',
      );
  }

  /** @returns the new recovery codes, which are shown only once */
  async replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.factorsRepository.replaceRecoveryCodes(tx, userId, codes.map(hashOfRecoveryCode));
    return codes;
  }
}

type Confirmed = RenewedTokens & { readonly recoveryCodes: string[] };

interface Joining {
  readonly id: string;
  readonly email: string;
  /** Those before the user joins. */
  readonly memberships: Parameters<typeof tenantOf>[0];
}

@Injectable()
export class OwnFactorsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly factorsRepository: FactorsRepository,
    private readonly usersRepository: UsersRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly changeOfFactors: ChangeOfFactors,
    private readonly keys: KeyRing,
    private readonly secondFactors: SecondFactors,
    private readonly rateLimiter: RateLimiter,
    private readonly sessions: SessionsService,
  ) {}

  /** GET /auth/mfa/factors: the caller's own factors. */
  async list(caller: UserCaller): Promise<FactorListResponse> {
    return { data: await this.work.read(caller, (reader) => this.factorsRepository.list(reader, caller.userId)) };
  }

  /** DELETE /auth/mfa/factors/:id. Also revokes the user's other sessions: the removed factor may have opened one. */
  async delete(caller: UserCaller, id: string): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    const { userId } = caller;
    await this.work.run(caller, async (tx) => {
      const user = await this.usersRepository.lock(tx, userId);
      await this.changeOfFactors.requireOwnFactor(tx, caller);
      const kind = await this.factorsRepository.delete(tx, userId, id);
      if (!kind) throw new ProblemError('factor_not_found', 'You have no such factor.');
      await this.afterLast(tx, userId, user?.breakGlass ?? false);
      await this.resetLinksRepository.revoke(tx, userId);
      await this.revokeSessions.ofUser(tx, userId, 'factor_removed', { exceptSessionId: sessionId });
      publishPrincipalsChanged(tx, userId, 'userIds', [userId]);
      tx.audit({
        action: 'user.mfa.remove',
        resource: { type: 'user', id: userId, name: caller.email },
        details: { kind, factorId: id },
      });
    });
    return { success: true };
  }

  /** Deletes the recovery codes with the last factor, which a break-glass user must keep. */
  private async afterLast(tx: Tx, userId: string, breakGlass: boolean): Promise<void> {
    if ((await this.factorsRepository.confirmedKinds(tx, userId)).length > 0) return;
    if (breakGlass) throw new ProblemError('conflict', 'A break-glass user must keep at least one second factor.');
    await this.factorsRepository.deleteRecoveryCodes(tx, userId);
  }

  /**
   * POST /auth/mfa/totp/enroll. The secret has no effect until it is confirmed; calling this again replaces it.
   */
  beginTotpEnrolment(caller: UserCaller): Promise<TotpEnrolmentResponse> {
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

  /** POST /auth/mfa/totp/confirm: a first code proves that the authenticator app has the secret. */
  async confirmTotp(caller: UserCaller, code: string): Promise<Confirmed> {
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
    return { recoveryCodes, ...(await this.finishEnrolment(tx, caller, { kind: 'totp' })) };
  }

  private refuse(tx: Tx, { userId, email }: UserCaller): null {
    const resource = { type: 'user', id: userId, name: email };
    tx.audit({ action: 'user.mfa.enroll', resource, result: 'failure', details: { kind: 'totp' } });
    return null;
  }

  /**
   * Ends each enrolment: revokes mailed reset links, renews the session with the new factor, and audits the factor.
   */
  async finishEnrolment(
    tx: Tx,
    caller: UserCaller,
    details: { readonly kind: 'totp' | 'webauthn'; readonly factorId?: string },
  ): Promise<RenewedTokens> {
    await this.resetLinksRepository.revoke(tx, caller.userId);
    const tokens = await this.sessions.renew(tx, sessionOf(caller), details.kind);
    tx.audit({
      action: 'user.mfa.enroll',
      resource: { type: 'user', id: caller.userId, name: caller.email },
      details,
    });
    return tokens;
  }

  /**
   * For a user who joins another tenant: deletes the factors that sessions of identity providers enrolled, with the
   * recovery codes, and revokes all sessions. A provider is trusted by one tenant only; its administrator could hold
   * these factors, and with them lock the user out of the other tenant. The user enrols a factor of their own next, and
   * is no break-glass user without one.
   */
  async removeProviderFactors(tx: Tx, { id, email, memberships }: Joining): Promise<void> {
    await this.usersRepository.lock(tx, id);
    const kinds = await this.factorsRepository.deleteOfProviders(tx, id);
    if (kinds.length === 0) return;
    await this.factorsRepository.deleteRecoveryCodes(tx, id);
    const isLast = (await this.factorsRepository.confirmedKinds(tx, id)).length === 0;
    const endsBreakGlass = isLast && (await this.usersRepository.endBreakGlass(tx, id));
    await this.resetLinksRepository.revoke(tx, id);
    await this.revokeSessions.ofUser(tx, id, 'factor_removed');
    publishPrincipalsChanged(tx, id, 'userIds', [id]);
    tx.audit({
      action: 'user.mfa.remove',
      resource: { type: 'user', id, name: email },
      ...tenantOf(memberships),
      details: {
        reason: 'provider_session',
        kinds,
        ...(endsBreakGlass && { changes: { breakGlass: { before: true, after: false } } }),
      },
    });
  }

  /** POST /auth/mfa/recovery-codes: replaces the caller's recovery codes. */
  renewRecoveryCodes(caller: UserCaller): Promise<RecoveryCodesResponse> {
    return this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.renew(tx, caller),
      shownOnce(() => caller.userId),
    );
  }

  private async renew(tx: Tx, caller: UserCaller): Promise<RecoveryCodesResponse> {
    await this.usersRepository.lock(tx, caller.userId);
    await this.changeOfFactors.requireOwnFactor(tx, caller);
    if ((await this.factorsRepository.confirmedKinds(tx, caller.userId)).length === 0)
      throw new ProblemError('factor_not_found', 'Recovery codes replace a second factor; set one up first.');
    await this.resetLinksRepository.revoke(tx, caller.userId);
    const resource = { type: 'user', id: caller.userId, name: caller.email };
    tx.audit({ action: 'user.mfa.enroll', resource, details: { kind: 'recovery_codes' } });
    return { recoveryCodes: await this.changeOfFactors.replaceRecoveryCodes(tx, caller.userId) };
  }
}
