import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { CookieMode } from './sessions.repository.ts';
import type { SessionClaims } from './tokens/access-tokens.ts';

/**
 * Builds the statement that issues a refresh token to the session that `chosen` selects (by its one parameter), if it
 * is alive. The session has a lookup of its own: had PostgreSQL planned a join with the memberships while both tables
 * are small, it would scan all memberships, and keep that plan.
 */
export const issueTo = (chosen: string): string => `
  WITH chosen AS (${chosen}),
  alive AS MATERIALIZED (
    SELECT id AS session_id, user_id, membership_id, mfa_at, mfa_via
      FROM sessions WHERE id = (SELECT session_id FROM chosen) AND revoked_at IS NULL AND expires_at > now()),
  session AS (
    SELECT a.session_id, a.user_id, m.level, m.partner_id, m.org_id, a.mfa_at, a.mfa_via
      FROM alive a JOIN live_memberships m ON m.id = a.membership_id),
  token AS (
    INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
    SELECT $2, session_id, now() + interval '7 days' FROM session)
  SELECT session_id, user_id, level, partner_id, org_id, mfa_at, mfa_via FROM session`;
const ISSUE = issueTo('SELECT $1::uuid AS session_id');

/** A single statement: when twenty requests present one token, one rotates it and the others find it rotated. */
const ROTATE = `
  WITH rotated AS (
    UPDATE refresh_tokens t SET rotated_at = now(), successor_sealed = $3
      FROM sessions s JOIN live_memberships m ON m.id = s.membership_id
     WHERE t.token_hash = $1 AND t.rotated_at IS NULL AND t.expires_at > now()
       AND s.id = t.session_id AND s.revoked_at IS NULL AND s.expires_at > now()
    RETURNING s.id AS session_id, s.user_id, m.level, m.partner_id, m.org_id, s.mfa_at, s.mfa_via, s.in_cookie),
  successor AS (
    INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
    SELECT $2, session_id, now() + interval '7 days' FROM rotated)
  SELECT session_id, user_id, level, partner_id, org_id, mfa_at, mfa_via, in_cookie FROM rotated`;
const EXAMINE = `
  SELECT s.id AS session_id, s.user_id, m.level, m.partner_id, m.org_id, s.mfa_at, s.mfa_via, s.in_cookie,
         t.successor_sealed, t.rotated_at IS NOT NULL AND t.rotated_at > now() - interval '10 seconds' AS graceful,
         t.rotated_at IS NOT NULL AS rotated, s.revoked_at IS NULL AND s.expires_at > now()
           AND m.id IS NOT NULL AS alive
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id LEFT JOIN live_memberships m ON m.id = s.membership_id
   WHERE t.token_hash = $1`;
const LOCK_UNUSED = 'SELECT token_hash FROM refresh_tokens WHERE token_hash = $1 AND rotated_at IS NULL FOR SHARE';

/** The session of a presented token. */
export type PresentedSession = SessionClaims & CookieMode;

/** What is known about a token that could not be rotated. */
export interface ExaminedToken extends PresentedSession {
  readonly successorSealed: string | null;
  /** It was rotated within the last ten seconds, and the client may have lost the response. */
  readonly graceful: boolean;
  readonly rotated: boolean;
  readonly alive: boolean;
}

@Injectable()
export class RefreshTokensRepository {
  /** Stores the first token of a live session. @returns null when the session has ended */
  issue(tx: Tx, sessionId: string, tokenHash: string): Promise<SessionClaims | null> {
    return tx.one<SessionClaims>(ISSUE, [sessionId, tokenHash]);
  }

  /** Replaces a token by its successor. @returns null when it cannot be rotated (any more) */
  rotate(
    statement: Reader,
    tokenHash: string,
    successor: { readonly hash: string; readonly sealed: string },
  ): Promise<PresentedSession | null> {
    return statement.one<PresentedSession>(ROTATE, [tokenHash, successor.hash, successor.sealed]);
  }

  examine(tx: Tx, tokenHash: string): Promise<ExaminedToken | null> {
    return tx.one<ExaminedToken>(EXAMINE, [tokenHash]);
  }

  /** The row lock makes this check wait for a concurrent rotation of the token, and the rotation wait for the check. */
  async isUnused(tx: Tx, tokenHash: string): Promise<boolean> {
    return (await tx.one(LOCK_UNUSED, [tokenHash])) !== null;
  }
}
