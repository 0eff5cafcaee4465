import { asService, type Caller } from '@gatehouse/contracts-core';
import type { SignedInResponse, WebauthnSignInVerifyDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { wrongCode } from '../factors/second-factors.ts';
import { MfaChallenges } from '../mfa/mfa-challenges.ts';
import { ProvePasskey } from '../webauthn/prove-passkey.ts';

/** POST /auth/mfa/webauthn/sign-in/verify: a passkey as the second step of a sign-in. */
@Injectable()
export class FinishPasskeySignIn {
  constructor(
    private readonly work: UnitOfWork,
    private readonly mfaChallenges: MfaChallenges,
    private readonly provePasskey: ProvePasskey,
  ) {}

  async execute(caller: Caller, { mfaToken, response }: WebauthnSignInVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    await this.mfaChallenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.mfaChallenges.attempt(tx, tokenHash);
      const { userId, webauthnChallenge } = challenge;
      const isProven =
        webauthnChallenge !== null && (await this.provePasskey.execute(tx, userId, webauthnChallenge, response));
      return isProven
        ? this.mfaChallenges.complete(tx, challenge, 'webauthn')
        : this.mfaChallenges.recordFailure(tx, challenge, 'webauthn');
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
