import { ACCESS_TOKEN_SECONDS, asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import { KeyRing, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.ts';
import type { IssuedTokens } from '../sessions/open-session.ts';
import { newRefreshToken, successorContext } from '../sessions/refresh-token.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

/** A single statement: when twenty requests present one token, one rotates it and the others find it rotated. */
const ROTATE = `
  WITH rotated AS (
    UPDATE refresh_tokens t SET rotated_at = now(), successor_sealed = $3
      FROM sessions s JOIN live_memberships m ON m.id = s.membership_id
     WHERE t.token_hash = $1 AND t.rotated_at IS NULL AND t.expires_at > now()
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
    RETURNING s.id AS session_id, s.user_id, m.level, m.partner_id, m.org_id, s.mfa_at, s.mfa_via, s.expires_at),
  successor AS (
    INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
    SELECT $2, session_id, least(now() + interval '7 days', expires_at) FROM rotated)
  SELECT session_id, user_id, level, partner_id, org_id, mfa_at, mfa_via FROM rotated`;
/**
 * Finds out why a token could not be rotated. `graceful`: it was rotated within the last ten seconds, and the client
 * may have lost the response.
 */
const EXAMINE = `
  SELECT s.id AS session_id, s.user_id, m.level, m.partner_id, m.org_id, s.mfa_at, s.mfa_via, t.successor_sealed,
         t.rotated_at IS NOT NULL AND t.rotated_at > now() - interval '10 seconds' AS graceful,
         t.rotated_at IS NOT NULL AS rotated, s.revoked_at IS NULL AND s.expires_at > now() AND m.id IS NOT NULL AS alive
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id LEFT JOIN live_memberships m ON m.id = s.membership_id
   WHERE t.token_hash = $1`;

/**
 * The row lock makes this check wait for a concurrent rotation of the successor, and the rotation wait for the check.
 */
const UNUSED = `SELECT token_hash FROM refresh_tokens WHERE token_hash = $1 AND rotated_at IS NULL FOR SHARE`;

interface Examined extends SessionClaims {
  readonly successorSealed: string | null;
  readonly graceful: boolean;
  readonly rotated: boolean;
  readonly alive: boolean;
}

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
    private readonly accessTokens: AccessTokens,
    private readonly revocation: RevokeSessions,
  ) {}

  async execute(caller: Caller, refreshToken: string): Promise<IssuedTokens> {
    const hash = sha256Hex(refreshToken);
    const next = newRefreshToken();
    const service = asService('identity', caller.origin);
    const sealed = this.keys.seal(next.token, successorContext(hash));
    const claims = await this.work.autocommit(service, (statement) =>
      statement.one<SessionClaims>(ROTATE, [hash, next.hash, sealed]),
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
    const found = await tx.one<Examined>(EXAMINE, [hash]);
    if (!found?.alive || !found.rotated) return null;
    const successor =
      found.graceful && found.successorSealed ? this.keys.open(found.successorSealed, successorContext(hash)) : null;
    if (successor && (await tx.one(UNUSED, [sha256Hex(successor)]))) return { claims: found, refreshToken: successor };
    await this.revocation.ofSession(tx, found.sessionId, 'refresh_token_reused');
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
