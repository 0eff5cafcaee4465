import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '../sessions/session-of.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { RelyingParty } from './relying-party.ts';

/** POST /auth/mfa/webauthn/step-up/options. */
@Injectable()
export class BeginPasskeyStepUp {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
  ) {}

  execute(caller: UserCaller): Promise<object> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeysRepository.list(tx, caller.userId));
      await this.passkeysRepository.beginCeremony(tx, caller.userId, 'step_up', options.challenge);
      return options;
    });
  }
}
