import type { UserCaller } from '@gatehouse/contracts-core';
import type { DoneResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { sessionOf } from '../sessions/session-of.ts';

/**
 * POST /auth/logout-all: revokes all sessions of the caller, in every membership. A session that a provider opened ends
 * those in its own membership only.
 */
@Injectable()
export class SignOutEverywhere {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionsRepository: SessionsRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(caller: UserCaller): Promise<DoneResponse> {
    const sessionId = sessionOf(caller);
    await this.work.once(caller, caller.idempotency, async (tx) => {
      const membershipId = await this.sessionsRepository.confinement(tx, sessionId);
      const sessions = await this.revokeSessions.ofUser(tx, caller.userId, 'signed_out_everywhere', { membershipId });
      tx.audit({
        action: 'session.revoke',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        details: { reason: 'signed_out_everywhere', sessions },
      });
    });
    return { success: true };
  }
}
