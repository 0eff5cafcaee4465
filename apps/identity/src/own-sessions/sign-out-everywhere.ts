import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/session-of.ts';

/** POST /auth/logout-all: revokes all sessions of the caller, in every membership. */
@Injectable()
export class SignOutEverywhere {
  constructor(
    private readonly work: UnitOfWork,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(caller: UserCaller): Promise<DoneResponse> {
    sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      const sessions = await this.revokeSessions.ofUser(tx, caller.userId, 'signed_out_everywhere');
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { reason: 'signed_out_everywhere', sessions },
      });
    });
    return { success: true };
  }
}
