import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ChangeOfFactors } from '../own-factors/change-of-factors.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { RelyingParty } from './relying-party.ts';

/** POST /auth/mfa/webauthn/register/options. */
@Injectable()
export class BeginPasskeyRegistration {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
    private readonly changeOfFactors: ChangeOfFactors,
  ) {}

  execute(caller: UserCaller): Promise<object> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.changeOfFactors.requireMayEnrol(tx, caller, 'webauthn');
      const user = { userId: caller.userId, name: caller.email };
      const known = await this.passkeysRepository.list(tx, caller.userId);
      const options = await this.relyingParty.registrationOptions(user, known);
      await this.passkeysRepository.beginCeremony(tx, caller.userId, 'register', options.challenge);
      return options;
    });
  }
}
