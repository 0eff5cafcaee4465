import type { UserCaller } from '@gatehouse/contracts-core';
import type { WebauthnRegistrationDto } from '@gatehouse/contracts-identity';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { wrongCode } from '../factors/second-factors.ts';
import { ChangeOfFactors } from '../own-factors/change-of-factors.ts';
import { FinishEnrolment } from '../own-factors/finish-enrolment.ts';
import type { RenewedTokens } from '../sessions/renew-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { type Passkey, RelyingParty } from './relying-party.ts';

interface EnrolledFactor extends RenewedTokens {
  readonly factorId: string;
  /** With the first factor only. */
  readonly recoveryCodes: string[] | null;
}

const DEFAULT_NAME = 'Passkey';
const REPETITION = shownOnce<EnrolledFactor>(({ factorId }) => factorId);

/** POST /auth/mfa/webauthn/register/verify. */
@Injectable()
export class FinishPasskeyRegistration {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly changeOfFactors: ChangeOfFactors,
    private readonly finishEnrolment: FinishEnrolment,
  ) {}

  async execute(
    caller: UserCaller,
    { response, name = DEFAULT_NAME }: WebauthnRegistrationDto,
  ): Promise<EnrolledFactor> {
    sessionOf(caller);
    // The first run has ended the ceremony, so that a repetition would find none.
    await this.work.recalled(caller, caller.idempotency, REPETITION);
    const challenge = await this.work.read(caller, (reader) =>
      this.passkeysRepository.pendingChallenge(reader, caller.userId, 'register'),
    );
    const passkey = challenge && (await this.relyingParty.registered(response, challenge));
    if (!challenge || !passkey) throw wrongCode();
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        if (!(await this.passkeysRepository.endCeremony(tx, caller.userId, 'register', challenge))) throw wrongCode();
        await this.changeOfFactors.requireMayEnrol(tx, caller, 'webauthn');
        return this.enrol(tx, caller, passkey, name);
      },
      REPETITION,
    );
  }

  private async enrol(tx: Tx, caller: UserCaller, passkey: Passkey, name: string): Promise<EnrolledFactor> {
    const { userId } = caller;
    const isFirst = (await this.factorsRepository.confirmedKinds(tx, userId)).length === 0;
    const factorId = await this.passkeysRepository.insert(tx, caller, name, passkey);
    const recoveryCodes = isFirst ? await this.changeOfFactors.replaceRecoveryCodes(tx, userId) : null;
    const tokens = await this.finishEnrolment.execute(tx, caller, { kind: 'webauthn', factorId });
    return { factorId, recoveryCodes, ...tokens };
  }
}
