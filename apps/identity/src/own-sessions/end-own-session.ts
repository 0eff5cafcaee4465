import { asService, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { SessionRecordsRepository } from '../sessions/session-records.repository.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';

/** DELETE /auth/sessions/:id: ends one of the sessions that {@link ListOwnSessions} lists. */
@Injectable()
export class EndOwnSession {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionsRepository: SessionsRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws ProblemError session_not_found */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
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
}
