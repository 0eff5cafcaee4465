import type { UserCaller } from '@gatehouse/contracts-core';
import type { WebauthnRegistrationDto } from '@gatehouse/contracts-identity';
import { shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../../people/factors.repository.ts';
import { wrongCode } from '../../people/second-factors.ts';
import { ChangeOfFactors, OwnFactorsService } from '../own-factors/own-factors.service.ts';
import { sessionOf } from '../../sessions/open-session.ts';
import { type RenewedTokens, sessionIdOf, SessionsService } from '../../sessions/sessions.service.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { type Passkey, RelyingParty } from './relying-party.ts';

interface EnrolledFactor extends RenewedTokens {
  readonly factorId: string;
  /** With the first factor only. */
  readonly recoveryCodes: string[] | null;
}

const DEFAULT_NAME = 'Passkey';

const REPETITION = shownOnce<EnrolledFactor>(({ factorId }) => factorId);

@Injectable()
export class WebauthnService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
    private readonly changeOfFactors: ChangeOfFactors,
    private readonly factorsRepository: FactorsRepository,
    private readonly ownFactors: OwnFactorsService,
    private readonly sessions: SessionsService,
  ) {}

  /** POST /auth/mfa/webauthn/register/options. */
  beginPasskeyRegistration(caller: UserCaller): Promise<object> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.changeOfFactors.requireMayEnrol(tx, caller, 'webauthn');
      const user = { userId: caller.userId, name: caller.email };
      const known = await this.passkeysRepository.list(tx, caller.userId);
      const options = await this.relyingParty.registrationOptions(user, known);
      await this.passkeysRepository.beginCeremony(tx, caller.userId, 'register', options.challenge);
      return options;
    });
  }

  /** POST /auth/mfa/webauthn/step-up/options. */
  beginPasskeyStepUp(caller: UserCaller): Promise<object> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeysRepository.list(tx, caller.userId));
      await this.passkeysRepository.beginCeremony(tx, caller.userId, 'step_up', options.challenge);
      return options;
    });
  }

  /** POST /auth/mfa/webauthn/register/verify. */
  async finishPasskeyRegistration(
    caller: UserCaller,
    { response, name = DEFAULT_NAME }: WebauthnRegistrationDto,
  ): Promise<EnrolledFactor> {
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
    const tokens = await this.ownFactors.finishEnrolment(tx, caller, { kind: 'webauthn', factorId });
    return { factorId, recoveryCodes, ...tokens };
  }

  /** POST /auth/mfa/webauthn/step-up/verify. */
  async finishPasskeyStepUp(caller: UserCaller, response: Record<string, unknown>): Promise<RenewedTokens> {
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
        return isProven ? this.sessions.renew(tx, sessionId, 'webauthn') : null;
      },
      shownOnce<RenewedTokens | null>(sessionIdOf),
    );
    if (!tokens) throw wrongCode();
    return tokens;
  }

  private async isProven(tx: Tx, userId: string, response: Record<string, unknown>): Promise<boolean> {
    const challenge = await this.passkeysRepository.pendingChallenge(tx, userId, 'step_up');
    if (challenge === null || !(await this.provePasskey(tx, userId, challenge, response))) return false;
    return this.passkeysRepository.endCeremony(tx, userId, 'step_up', challenge);
  }

  /**
   * Checks whether a response proves possession of one of the user's passkeys, and stores the passkey's counter.
   */
  async provePasskey(tx: Tx, userId: string, challenge: string, response: Record<string, unknown>): Promise<boolean> {
    const { id } = response;
    const passkey = typeof id === 'string' ? await this.passkeysRepository.find(tx, userId, id) : null;
    if (!passkey) return false;
    const counter = await this.relyingParty.asserted(response, challenge, passkey);
    return counter !== null && this.passkeysRepository.use(tx, passkey.id, counter);
  }
}
