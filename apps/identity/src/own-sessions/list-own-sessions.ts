import { asService, type UserCaller } from '@gatehouse/contracts-core';
import type { SessionListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '../sessions/session-of.ts';
import { SessionRecordsRepository } from '../sessions/session-records.repository.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';

/**
 * GET /auth/sessions: the caller's live sessions. An identity provider is trusted by one tenant only, so a session that
 * a provider opened sees only the sessions in its own membership.
 */
@Injectable()
export class ListOwnSessions {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionsRepository: SessionsRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
  ) {}

  async execute(caller: UserCaller): Promise<SessionListResponse> {
    const sessionId = sessionOf(caller);
    const sessions = await this.work.read(asService('identity', caller.origin), async (reader) => {
      const own = await this.sessionsRepository.findLive(reader, sessionId);
      if (!own) return [];
      const membershipId = own.via === 'sso' ? own.membershipId : null;
      return this.sessionRecordsRepository.listOfUser(reader, caller.userId, membershipId);
    });
    return { data: sessions.map((session) => ({ ...session, current: session.id === sessionId })) };
  }
}
