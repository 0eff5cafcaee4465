import { ProblemError } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { type IssuedTokens, OpenSession } from './open-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';
import { type CookieMode, SessionsRepository } from './sessions.repository.ts';

/** New tokens, and whether the session keeps its refresh token in a cookie. */
export type RenewedTokens = IssuedTokens & CookieMode;

export const sessionIdOf = ({ accessToken }: IssuedTokens): string => String(decodeJwt(accessToken)['sid']);

/**
 * A session that gains a second factor continues under a new id (OWASP ASVS 7.2.4). Cached or stolen copies of the old
 * id gain nothing, and the second factor counts at once wherever sessions are cached.
 */
@Injectable()
export class RenewSession {
  constructor(
    private readonly sessionsRepository: SessionsRepository,
    private readonly openSession: OpenSession,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws ProblemError session_revoked */
  async execute(tx: Tx, sessionId: string, mfaVia: string): Promise<RenewedTokens> {
    const renewedId = newId();
    const renewed = await this.sessionsRepository.continueAs(tx, sessionId, { newId: renewedId, mfaVia });
    // A concurrent revocation or renewal has already ended the old session.
    if (!renewed || (await this.revokeSessions.ofSession(tx, sessionId, 'renewed')) === 0)
      throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return { ...(await this.openSession.issueTokens(tx, renewedId)), ...renewed };
  }
}
