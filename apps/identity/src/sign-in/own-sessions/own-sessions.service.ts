import {
  ACCESS_TOKEN_SECONDS,
  asService,
  type Caller,
  hasPartnerWidePolicyRights,
  ProblemError,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { DoneResponse, MeResponse, SessionListResponse } from '@gatehouse/contracts-identity';
import { KeyRing, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../../people/factors.repository.ts';
import { UsersRepository } from '../../people/users.repository.ts';
import { newRefreshToken, sessionOf, successorContext } from '../../sessions/open-session.ts';
import { type PresentedSession, RefreshTokensRepository } from '../../sessions/refresh-tokens.repository.ts';
import { RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { SessionRecordsRepository } from '../../sessions/session-records.repository.ts';
import { SessionsRepository } from '../../sessions/sessions.repository.ts';
import type { RenewedTokens } from '../../sessions/sessions.service.ts';
import { AccessTokens } from '../../sessions/tokens/access-tokens.ts';

interface Outcome {
  readonly claims: PresentedSession;
  readonly refreshToken: string;
}

@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionsRepository: SessionsRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly keys: KeyRing,
    private readonly refreshTokensRepository: RefreshTokensRepository,
    private readonly accessTokens: AccessTokens,
  ) {}

  /**
   * GET /auth/sessions: the caller's live sessions. An identity provider is trusted by one tenant only, so a session
   * that a provider opened sees only the sessions in its own membership.
   */
  async list(caller: UserCaller): Promise<SessionListResponse> {
    const sessionId = sessionOf(caller);
    const sessions = await this.work.read(asService('identity', caller.origin), async (reader) => {
      const own = await this.sessionsRepository.findLive(reader, sessionId);
      if (!own) return [];
      const membershipId = own.via === 'sso' ? own.membershipId : null;
      return this.sessionRecordsRepository.listOfUser(reader, caller.userId, membershipId);
    });
    return { data: sessions.map((session) => ({ ...session, current: session.id === sessionId })) };
  }

  /**
   * GET /auth/me: the user and the membership, also for an API key, and the permissions of the session or key.
   * @throws ProblemError session_revoked when the user or the membership was deleted a moment ago
   */
  async getMe(caller: UserCaller): Promise<MeResponse> {
    const { user, facts, methods } = await this.work.read(caller, async (reader) => ({
      user: await this.usersRepository.signedIn(reader, caller.userId),
      methods: await this.factorsRepository.methodsOf(reader, caller.userId),
      facts:
        caller.kind === 'user'
          ? await this.sessionRecordsRepository.factsOfSession(reader, caller.sessionId)
          : await this.sessionRecordsRepository.factsOfApiKey(reader, caller.id),
    }));
    if (!user || !facts) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    const { signedInVia, mfaUntil, ...membership } = facts;
    return {
      user,
      scope: caller.level,
      partnerId: caller.partnerId,
      orgId: caller.orgId,
      permissions: [...caller.permissions],
      mfa: { satisfied: caller.mfa, enrolled: methods.length > 0, methods, until: mfaUntil },
      membership,
      partnerWidePolicyRights: hasPartnerWidePolicyRights(caller),
      signedInVia,
    };
  }

  /** DELETE /auth/sessions/:id: ends one of the sessions that {@link ListOwnSessions} lists. */
  async end(caller: UserCaller, id: string): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    const { userId, name, email } = caller;
    await this.work.run(asService('identity', caller.origin), async (tx) => {
      const own = await this.sessionsRepository.findLive(tx, sessionId);
      const found = own && (await this.sessionRecordsRepository.findOfUser(tx, userId, id));
      const isHidden = own?.via === 'sso' && found?.membership.id !== own.membershipId;
      if (!found || isHidden || (await this.revokeSessions.ofSession(tx, id, 'ended_by_user')) === 0)
        throw new ProblemError('session_not_found', 'There is no such session.');
      const { partnerId, orgId } = found.membership;
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'session', id },
        actor: { type: 'user', id: userId, name },
        partnerId,
        orgId,
        details: { reason: 'ended_by_user', userId, email },
      });
    });
    return { success: true };
  }

  /**
   * POST /auth/refresh: rotation with reuse detection (RFC 9700 4.14.2).
   * @returns also whether the session keeps its refresh token in a cookie, however the token was presented
   */
  async refresh(caller: Caller, refreshToken: string): Promise<RenewedTokens> {
    const hash = sha256Hex(refreshToken);
    const next = newRefreshToken();
    const service = asService('identity', caller.origin);
    const sealed = this.keys.seal(next.token, successorContext(hash));
    const claims = await this.work.autocommit(service, (statement) =>
      this.refreshTokensRepository.rotate(statement, hash, { hash: next.hash, sealed }),
    );
    const outcome = claims
      ? { claims, refreshToken: next.token }
      : await this.work.run(service, (tx) => this.repeat(tx, hash));
    if (!outcome)
      throw new ProblemError('refresh_token_invalid', 'This refresh token is no longer valid; sign in again.');
    return {
      accessToken: await this.accessTokens.mint(outcome.claims),
      refreshToken: outcome.refreshToken,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
      inCookie: outcome.claims.inCookie,
    };
  }

  /**
   * A client that lost the response gets the same successor again. A token that is presented later, or after its
   * successor was used, counts as stolen: the whole token family is revoked.
   */
  private async repeat(tx: Tx, hash: string): Promise<Outcome | null> {
    const found = await this.refreshTokensRepository.examine(tx, hash);
    if (!found?.alive || !found.rotated) return null;
    const successor =
      found.graceful && found.successorSealed ? this.keys.open(found.successorSealed, successorContext(hash)) : null;
    if (successor && (await this.refreshTokensRepository.isUnused(tx, sha256Hex(successor))))
      return { claims: found, refreshToken: successor };
    await this.revokeSessions.ofSession(tx, found.sessionId, 'refresh_token_reused');
    tx.audit({
      action: 'session.revoke',
      resource: { type: 'session', id: found.sessionId },
      partnerId: found.partnerId,
      orgId: found.orgId,
      details: { reason: 'refresh_token_reused', userId: found.userId },
    });
    return null;
  }

  /** POST /auth/logout. Refresh tokens are refused at once, access tokens within moments. */
  async signOut(caller: UserCaller): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      await this.revokeSessions.ofSession(tx, sessionId, 'signed_out');
      tx.audit({
        action: 'user.logout',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { sessionId },
      });
    });
    return { success: true };
  }

  /**
   * POST /auth/logout-all: revokes all sessions of the caller, in every membership. A session that a provider opened
   * ends those in its own membership only.
   */
  async signOutEverywhere(caller: UserCaller): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      const membershipId = await this.sessionsRepository.confinement(tx, sessionId);
      const sessions = await this.revokeSessions.ofUser(tx, caller.userId, 'signed_out_everywhere', { membershipId });
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { reason: 'signed_out_everywhere', sessions },
      });
    });
    return { success: true };
  }
}
