import { ProblemError } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';
import { OpenSession } from '../sessions/open-session.ts';
import type { RenewedTokens } from '../sessions/renew-session.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';

export const ssoEnforced = (): ProblemError =>
  new ProblemError('sso_enforced', 'This organisation signs in through its identity provider; use that.');

/** Replaces a session by one in another membership of its user. */
@Injectable()
export class MoveSession {
  constructor(
    private readonly sessionsRepository: SessionsRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly openSession: OpenSession,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  /** @throws ProblemError session_revoked, sso_enforced */
  async execute(
    tx: Tx,
    sessionId: string,
    membershipId: string,
  ): Promise<{ readonly sessionId: string; readonly tokens: RenewedTokens }> {
    const movedId = newId();
    const moved = await this.sessionsRepository.moveTo(tx, sessionId, { newId: movedId, membershipId });
    // A concurrent revocation or switch has already ended the old session.
    if (!moved || (await this.revokeSessions.ofSession(tx, sessionId, 'membership_switched')) === 0)
      throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    // Checked only now, after the session exists: enforcement that begins later waits for this session and revokes it.
    if (await this.enforcementRepository.isGoverned(tx, membershipId)) throw ssoEnforced();
    return { sessionId: movedId, tokens: { ...(await this.openSession.issueTokens(tx, movedId)), ...moved } };
  }
}
