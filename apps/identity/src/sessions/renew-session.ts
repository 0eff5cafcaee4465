import { ProblemError } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type IssuedTokens, OpenSession } from './open-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';

const CONTINUE = `
  INSERT INTO sessions (id, user_id, membership_id, via, provider_id, confined_org_id, mfa_at, mfa_via, ip, user_agent, created_at, expires_at)
  SELECT $2, user_id, membership_id, via, provider_id, confined_org_id, now(), $3, ip, user_agent, created_at, expires_at
    FROM sessions WHERE id = $1 AND revoked_at IS NULL AND expires_at > now() RETURNING id`;

/**
 * A session that gains a second factor continues under a new id (OWASP ASVS 7.2.4). Cached or stolen copies of the old
 * id gain nothing, and the second factor counts at once wherever sessions are cached.
 */
@Injectable()
export class RenewSession {
  constructor(
    private readonly sessions: OpenSession,
    private readonly revocation: RevokeSessions,
  ) {}

  /** @throws ProblemError session_revoked */
  async withMfa(tx: Tx, sessionId: string, via: string): Promise<IssuedTokens & { sessionId: string }> {
    const renewed = await tx.one<{ id: string }>(CONTINUE, [sessionId, newId(), via]);
    // A concurrent revocation or renewal has already ended the old session.
    if (!renewed || (await this.revocation.ofSession(tx, sessionId, 'renewed')) === 0)
      throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return { ...(await this.sessions.issueTokens(tx, renewed.id)), sessionId: renewed.id };
  }
}
