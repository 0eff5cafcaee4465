import type { UserCaller } from '@gatehouse/contracts-core';
import type { FactorEnrolledResponse, WebauthnRegistrationDto } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { replaceRecoveryCodes, requireMayEnrol } from '../own-factors/enrol-totp.ts';
import { sessionOf, wrongCode } from '../sessions/session-of.ts';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { mfaMethodsOf } from '../people/factors.ts';
import { RenewSession } from '../sessions/renew-session.ts';
import { type Passkey, RelyingParty } from './relying-party.ts';
import { Passkeys } from './passkeys.ts';

const DEFAULT_NAME = 'Passkey';

/** POST /auth/mfa/webauthn/register/options and /verify. */
@Injectable()
export class RegisterPasskey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relyingParty: RelyingParty,
    private readonly passkeys: Passkeys,
    private readonly renewal: RenewSession,
  ) {}

  begin(caller: UserCaller): Promise<object> {
    sessionOf(caller);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await requireMayEnrol(tx, caller, 'webauthn');
      const person = { userId: caller.userId, name: caller.email ?? caller.name };
      const options = await this.relyingParty.registrationOptions(person, await this.passkeys.list(tx, caller.userId));
      await this.passkeys.begin(tx, caller.userId, 'register', options.challenge);
      return options;
    });
  }

  async finish(
    caller: UserCaller,
    { response, name = DEFAULT_NAME }: WebauthnRegistrationDto,
  ): Promise<FactorEnrolledResponse> {
    const sessionId = sessionOf(caller);
    const challenge = await this.work.read(caller, (reader) =>
      this.passkeys.pending(reader, caller.userId, 'register'),
    );
    const passkey = challenge && (await this.relyingParty.registered(response, challenge));
    if (!challenge || !passkey) throw wrongCode();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      if (!(await this.passkeys.end(tx, caller.userId, { purpose: 'register', challenge }))) throw wrongCode();
      await requireMayEnrol(tx, caller, 'webauthn');
      return this.enrol(tx, caller, { passkey, name, sessionId });
    });
  }

  private async enrol(
    tx: Tx,
    caller: UserCaller,
    { passkey, name, sessionId }: { passkey: Passkey; name: string; sessionId: string },
  ): Promise<FactorEnrolledResponse> {
    const first = (await mfaMethodsOf(tx, caller.userId)).length === 0;
    const factorId = await this.passkeys.add(tx, caller.userId, name, passkey);
    await revokeResetLinks(tx, caller.userId);
    const recoveryCodes = first ? await replaceRecoveryCodes(tx, caller.userId) : null;
    const { sessionId: _, ...tokens } = await this.renewal.withMfa(tx, sessionId, 'webauthn');
    tx.audit({
      action: 'user.mfa.enroll',
      resource: { type: 'user', id: caller.userId, name: caller.email },
      details: { kind: 'webauthn', factorId },
    });
    return { factorId, recoveryCodes, ...tokens };
  }
}
