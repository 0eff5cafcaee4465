import { asService, type Caller } from '@gatehouse/contracts-core';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MfaChallenges } from '../mfa/mfa-challenges.ts';
import { MfaChallengesRepository } from '../sign-in/mfa-challenges.repository.ts';
import { PasskeysRepository } from '../webauthn/passkeys.repository.ts';
import { RelyingParty } from '../webauthn/relying-party.ts';

/** POST /auth/mfa/webauthn/sign-in/options. */
@Injectable()
export class BeginPasskeySignIn {
  constructor(
    private readonly work: UnitOfWork,
    private readonly mfaChallenges: MfaChallenges,
    private readonly mfaChallengesRepository: MfaChallengesRepository,
    private readonly relyingParty: RelyingParty,
    private readonly passkeysRepository: PasskeysRepository,
  ) {}

  async execute(caller: Caller, mfaToken: string): Promise<object> {
    const service = asService('identity', caller.origin);
    const { userId, tokenHash } = await this.mfaChallenges.find(service, sha256Hex(mfaToken));
    return this.work.run(service, async (tx) => {
      const options = await this.relyingParty.assertionOptions(await this.passkeysRepository.list(tx, userId));
      await this.mfaChallengesRepository.keepWebauthnChallenge(tx, tokenHash, options.challenge);
      return options;
    });
  }
}
