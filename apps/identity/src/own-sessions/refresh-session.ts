import { ACCESS_TOKEN_SECONDS, asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import { KeyRing, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { IssuedTokens } from '../sessions/open-session.ts';
import { newRefreshToken, successorContext } from '../sessions/refresh-token.ts';
import { RefreshTokensRepository } from '../sessions/refresh-tokens.repository.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.ts';

interface Outcome {
  readonly claims: SessionClaims;
  readonly refreshToken: string;
}

/** POST /auth/refresh: rotation with reuse detection (RFC 9700 4.14.2). */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    private readonly refreshTokensRepository: RefreshTokensRepository,
    private readonly accessTokens: AccessTokens,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(caller: Caller, refreshToken: string): Promise<IssuedTokens> {
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
      throw new ProblemError('refresh_token_invalid', 'This refresh token is not valid any more; sign in again.');
    return {
      accessToken: await this.accessTokens.mint(outcome.claims),
      refreshToken: outcome.refreshToken,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
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
}
