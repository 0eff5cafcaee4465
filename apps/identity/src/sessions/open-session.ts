import { ACCESS_TOKEN_SECONDS, ProblemError } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { AccessTokens, type SessionClaims } from '../tokens/access-tokens.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { newRefreshToken } from './refresh-token.ts';

export type SignInMeans = 'password' | 'sso' | 'invitation';

export interface NewSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly via: SignInMeans;
  /** The identity provider that signed the user in. */
  readonly providerId: string | null;
  /** The organisation whose provider opened the session; the session's reach ends there. */
  readonly confinedOrgId: string | null;
  /** The second factor that was proved at the sign-in, or null. */
  readonly mfa: { readonly via: string } | null;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
}

/** The first sign-in of an invited user, by any method, accepts the invitation. A concurrent suspension is kept. */
const CREATE = `
  WITH opened AS (
    INSERT INTO sessions (id, user_id, membership_id, via, provider_id, confined_org_id, mfa_at, mfa_via, ip, user_agent, expires_at)
    SELECT $1, m.user_id, m.id, $4, $5, $6::uuid, CASE WHEN $7::text IS NULL THEN NULL ELSE now() END, $7, $8, $9, now() + interval '30 days'
      FROM live_memberships m WHERE m.id = $3 AND m.user_id = $2 AND ($6::uuid IS NULL OR m.org_id = $6::uuid)
    RETURNING id, user_id),
  arrived AS (
    UPDATE users u SET last_login_at = now(), status = CASE u.status WHEN 'invited' THEN 'active' ELSE u.status END
      FROM opened o JOIN users before ON before.id = o.user_id
     WHERE u.id = before.id RETURNING before.status)
  SELECT opened.id, arrived.status AS status_before FROM opened CROSS JOIN arrived`;

/**
 * Builds the statement that issues a refresh token to the session that `chosen` selects (by its one parameter), if it
 * is alive. The session has a lookup of its own: had PostgreSQL planned a join with the memberships while both tables
 * are small, it would scan all memberships, and keep that plan.
 */
export const issueTo = (chosen: string): string => `
  WITH chosen AS (${chosen}),
  alive AS MATERIALIZED (
    SELECT id AS session_id, user_id, membership_id, mfa_at, mfa_via, expires_at
      FROM sessions WHERE id = (SELECT session_id FROM chosen) AND revoked_at IS NULL AND expires_at > now()),
  session AS (
    SELECT a.session_id, a.user_id, m.level, m.partner_id, m.org_id, a.mfa_at, a.mfa_via, a.expires_at
      FROM alive a JOIN live_memberships m ON m.id = a.membership_id),
  token AS (
    INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
    SELECT $2, session_id, least(now() + interval '7 days', expires_at) FROM session)
  SELECT session_id, user_id, level, partner_id, org_id, mfa_at, mfa_via FROM session`;
const ISSUE = issueTo('SELECT $1::uuid AS session_id');

/** Creates sessions and issues their tokens, for every kind of sign-in. */
@Injectable()
export class OpenSession {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly technicians: TechnicianFeed,
  ) {}

  /**
   * @param tx a transaction of identity itself, because no user is signed in yet
   * @throws ProblemError invalid_credentials when the membership does not permit a sign-in (any more)
   */
  async create(tx: Tx, session: NewSession): Promise<void> {
    const { sessionId, userId, membershipId, via, providerId, confinedOrgId, mfa } = session;
    const { ip, userAgent } = tx.caller.origin;
    const row = await tx.one<{ id: string; statusBefore: string }>(CREATE, [
      sessionId,
      userId,
      membershipId,
      via,
      providerId,
      confinedOrgId,
      mfa?.via ?? null,
      ip,
      userAgent?.slice(0, 400) ?? null,
    ]);
    if (!row) throw new ProblemError('invalid_credentials', 'Invalid email or password.');
    if (row.statusBefore !== 'active') await this.technicians.publish(tx, [userId]);
  }

  /**
   * Issues the first tokens of a live session; refreshing issues the later ones.
   * @throws ProblemError session_revoked
   */
  async issueTokens(tx: Tx, sessionId: string): Promise<IssuedTokens> {
    const { token, hash } = newRefreshToken();
    const claims = await tx.one<SessionClaims>(ISSUE, [sessionId, hash]);
    if (!claims) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return {
      accessToken: await this.accessTokens.mint(claims),
      refreshToken: token,
      expiresInSeconds: ACCESS_TOKEN_SECONDS,
    };
  }
}
