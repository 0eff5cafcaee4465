import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/session-of.ts';

/** POST /auth/logout. Refresh tokens are refused at once, access tokens within moments. */
@Injectable()
export class SignOut {
  constructor(
    private readonly work: UnitOfWork,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(caller: UserCaller): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      await this.revokeSessions.ofSession(tx, sessionId, 'signed_out');
      tx.audit({
        action: 'user.logout',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { sessionId },
      });
    });
    return { success: true };
  }
}
