import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SessionListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { UsersRepository } from '../people/users.repository.ts';
import { SessionRecordsRepository } from '../sessions/session-records.repository.ts';

/** GET /users/:id/sessions: the live sessions of a user in the memberships within the caller's reach. */
@Injectable()
export class ListUserSessions {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
  ) {}

  /** @throws ProblemError user_not_found */
  async execute(caller: UserCaller, userId: string): Promise<SessionListResponse> {
    const sessions = await this.work.read(caller, async (reader) => {
      if (!(await this.usersRepository.find(reader, caller.scope, userId)))
        throw new ProblemError('user_not_found', 'There is no such user.');
      return this.sessionRecordsRepository.listWithin(reader, caller.scope, userId);
    });
    return { data: sessions.map((session) => ({ ...session, current: session.id === caller.sessionId })) };
  }
}
