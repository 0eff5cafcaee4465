import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '../sessions/session-of.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

/** POST /auth/logout and /auth/logout-all. Refresh tokens are refused at once, access tokens within moments. */
@Injectable()
export class SignOut {
  constructor(
    private readonly work: UnitOfWork,
    private readonly revocation: RevokeSessions,
  ) {}

  async execute(caller: UserCaller): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      await this.revocation.ofSession(tx, sessionId, 'signed_out');
      tx.audit({
        action: 'user.logout',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { sessionId },
      });
    });
    return { success: true };
  }

  async everywhere(caller: UserCaller): Promise<DoneResponse> {
    sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      const sessions = await this.revocation.ofUser(tx, caller.userId, 'signed_out_everywhere');
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { reason: 'signed_out_everywhere', sessions },
      });
    });
    return { success: true };
  }
}
