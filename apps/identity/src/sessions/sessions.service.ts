import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { type IssuedTokens, OpenSession } from './open-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';
import { type CookieMode, SessionsRepository } from './sessions.repository.ts';

/** New tokens, and whether the session keeps its refresh token in a cookie. */
export type RenewedTokens = IssuedTokens & CookieMode;

export const sessionIdOf = ({ accessToken }: IssuedTokens): string => String(decodeJwt(accessToken)['sid']);

@Injectable()
export class SessionsService {
  constructor(
    private readonly sessionsRepository: SessionsRepository,
    private readonly openSession: OpenSession,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /**
   * A session that gains a second factor continues under a new id (OWASP ASVS 7.2.4). Cached or stolen copies of the
   * old id gain nothing, and the second factor counts at once wherever sessions are cached.
   */
  async renew(tx: Tx, sessionId: string, mfaVia: string): Promise<RenewedTokens> {
    const renewedId = newId();
    const renewed = await this.sessionsRepository.continueAs(tx, sessionId, { newId: renewedId, mfaVia });
    // A concurrent revocation or renewal has already ended the old session.
    if (!renewed || (await this.revokeSessions.ofSession(tx, sessionId, 'renewed')) === 0)
      throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return { ...(await this.openSession.issueTokens(tx, renewedId)), ...renewed };
  }

  /**
   * Factors and passwords protect every membership of a user, but an identity provider is trusted by one tenant only. A
   * session that a provider opened cannot change them while the user has memberships in other tenants, whatever second
   * factor was proved in it.
   */
  async requireAccountWide(reader: Reader, { sessionId }: UserCaller): Promise<void> {
    if (!(await this.sessionsRepository.isOfOneTenant(reader, sessionId))) return;
    throw new ProblemError(
      'permission_denied',
      'You signed in with an organisation’s identity provider. Sign in with your password to change account security.',
    );
  }
}
