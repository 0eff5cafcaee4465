import { asService, type Caller } from '@gatehouse/contracts-core';
import type { SignedInResponse, WebauthnSignInVerifyDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { wrongCode } from '../../people/second-factors.ts';
import { MfaChallenges } from '../mfa/mfa.service.ts';
import { MfaChallengesRepository } from '../mfa-challenges.repository.ts';
import { PasskeysRepository } from '../webauthn/passkeys.repository.ts';
import { RelyingParty } from '../webauthn/relying-party.ts';
import { WebauthnService } from '../webauthn/webauthn.service.ts';

@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly mfaChallenges: MfaChallenges,
    private readonly mfaChallengesRepository: MfaChallengesRepository,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
    private readonly webauthn: WebauthnService,
  ) {}

  /** POST /auth/mfa/webauthn/sign-in/options. */
  async begin(caller: Caller, mfaToken: string): Promise<object> {
    const service = asService('identity', caller.origin);
    const { userId, tokenHash } = await this.mfaChallenges.find(service, sha256Hex(mfaToken));
    return this.work.run(service, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeysRepository.list(tx, userId));
      await this.mfaChallengesRepository.keepWebauthnChallenge(tx, tokenHash, options.challenge);
      return options;
    });
  }

  /** POST /auth/mfa/webauthn/sign-in/verify: a passkey as the second step of a sign-in. */
  async finish(caller: Caller, { mfaToken, response }: WebauthnSignInVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    await this.mfaChallenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.mfaChallenges.attempt(tx, tokenHash);
      const { userId, webauthnChallenge } = challenge;
      const isProven =
        webauthnChallenge !== null && (await this.webauthn.provePasskey(tx, userId, webauthnChallenge, response));
      return isProven
        ? this.mfaChallenges.complete(tx, challenge, 'webauthn')
        : this.mfaChallenges.recordFailure(tx, challenge, 'webauthn');
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
