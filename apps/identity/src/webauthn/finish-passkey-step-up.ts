import type { UserCaller } from '@gatehouse/contracts-core';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { wrongCode } from '../factors/second-factors.ts';
import { type RenewedTokens, RenewSession, sessionIdOf } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { ProvePasskey } from './prove-passkey.ts';

/** POST /auth/mfa/webauthn/step-up/verify. */
@Injectable()
export class FinishPasskeyStepUp {
  constructor(
    private readonly work: UnitOfWork,
    private readonly passkeysRepository: PasskeysRepository,
    private readonly provePasskey: ProvePasskey,
    private readonly renewSession: RenewSession,
  ) {}

  async execute(caller: UserCaller, response: Record<string, unknown>): Promise<RenewedTokens> {
    const sessionId = sessionOf(caller);
    const tokens = await this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const isProven = await this.isProven(tx, caller.userId, response);
        tx.audit({
          action: 'user.mfa.verify',
          resource: { type: 'user', id: caller.userId, name: caller.email },
          result: isProven ? 'success' : 'failure',
          details: { via: 'webauthn' },
        });
        return isProven ? this.renewSession.execute(tx, sessionId, 'webauthn') : null;
      },
      shownOnce<RenewedTokens | null>(sessionIdOf),
    );
    if (!tokens) throw wrongCode();
    return tokens;
  }

  private async isProven(tx: Tx, userId: string, response: Record<string, unknown>): Promise<boolean> {
    const challenge = await this.passkeysRepository.pendingChallenge(tx, userId, 'step_up');
    if (challenge === null || !(await this.provePasskey.execute(tx, userId, challenge, response))) return false;
    return this.passkeysRepository.endCeremony(tx, userId, 'step_up', challenge);
  }
}
