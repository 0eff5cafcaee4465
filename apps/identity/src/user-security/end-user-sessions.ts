import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FindChangeableUser } from '../memberships/find-changeable-user.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

/** DELETE /users/:id/sessions: ends the sessions of a user in the memberships within the caller's reach. */
@Injectable()
export class EndUserSessions {
  constructor(
    private readonly work: UnitOfWork,
    private readonly findChangeableUser: FindChangeableUser,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws ProblemError conflict for the caller, user_not_found, role_not_grantable; those of the reach */
  async execute(caller: UserCaller, id: string): Promise<DoneResponse> {
    if (id === caller.userId) throw new ProblemError('conflict', 'End your own sessions at /auth/sessions.');
    await this.work.run(caller, async (tx) => {
      const user = await this.findChangeableUser.execute(tx, caller, id);
      if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
      let sessions = 0;
      for (const membership of user.memberships)
        sessions += await this.revokeSessions.ofUser(tx, id, 'ended_by_administrator', { membershipId: membership.id });
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id, name: user.email },
        ...tenantOf(user.memberships),
        details: { reason: 'ended_by_administrator', sessions },
      });
    });
    return { success: true };
  }
}
