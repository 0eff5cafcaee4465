import type { UserCaller } from '@gatehouse/contracts-core';
import type { TokensResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf, wrongCode } from '../sessions/session-of.ts';
import { RenewSession } from '../sessions/renew-session.ts';
import { Passkeys } from './passkeys.ts';
import { RelyingParty } from './relying-party.ts';

/** POST /auth/mfa/webauthn/step-up/options and /verify. */
@Injectable()
export class StepUpWithPasskey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeys: Passkeys,
    private readonly renewal: RenewSession,
  ) {}

  begin(caller: UserCaller): Promise<object> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeys.list(tx, caller.userId));
      await this.passkeys.begin(tx, caller.userId, 'step_up', options.challenge);
      return options;
    });
  }

  async finish(caller: UserCaller, response: Record<string, unknown>): Promise<TokensResponse> {
    const sessionId = sessionOf(caller);
    const tokens = await this.work.once(caller, caller.idempotency, async (tx) => {
      const challenge = await this.passkeys.pending(tx, caller.userId, 'step_up');
      const answers = challenge !== null && (await this.passkeys.proves(tx, caller.userId, challenge, response));
      const proven = answers && (await this.passkeys.end(tx, caller.userId, { purpose: 'step_up', challenge }));
      tx.audit({
        action: 'user.mfa.verify',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        result: proven ? 'success' : 'failure',
        details: { via: 'webauthn' },
      });
      return proven ? this.renewal.withMfa(tx, sessionId, 'webauthn') : null;
    });
    if (!tokens) throw wrongCode();
    const { accessToken, refreshToken, expiresInSeconds } = tokens;
    return { accessToken, refreshToken, expiresInSeconds };
  }
}
