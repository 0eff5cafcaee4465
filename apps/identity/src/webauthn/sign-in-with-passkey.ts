import { asService, type Caller } from '@gatehouse/contracts-core';
import type { SignedInResponse, WebauthnSignInVerifyDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MfaChallenges } from '../mfa/mfa-challenges.ts';
import { wrongCode } from '../sessions/session-of.ts';
import { Passkeys } from './passkeys.ts';
import { RelyingParty } from './relying-party.ts';

const KEEP_CHALLENGE = `UPDATE mfa_challenges SET webauthn_challenge = $2 WHERE token_hash = $1`;

/** POST /auth/mfa/webauthn/sign-in/options and /verify: a passkey as the second step of a sign-in. */
@Injectable()
export class SignInWithPasskey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly challenges: MfaChallenges,
    private readonly relyingParty: RelyingParty,
    private readonly passkeys: Passkeys,
  ) {}

  async begin(caller: Caller, mfaToken: string): Promise<object> {
    const service = asService('identity', caller.origin);
    const { userId, tokenHash } = await this.challenges.find(service, sha256Hex(mfaToken));
    return this.work.run(service, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeys.list(tx, userId));
      await tx.query(KEEP_CHALLENGE, [tokenHash, options.challenge]);
      return options;
    });
  }

  async finish(caller: Caller, { mfaToken, response }: WebauthnSignInVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    await this.challenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.challenges.attempt(tx, tokenHash);
      const { userId, webauthnChallenge } = challenge;
      const proven =
        webauthnChallenge !== null && (await this.passkeys.proves(tx, userId, webauthnChallenge, response));
      return proven
        ? this.challenges.complete(tx, challenge, 'webauthn')
        : this.challenges.recordFailure(tx, challenge, 'webauthn');
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
