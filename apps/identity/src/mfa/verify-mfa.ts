import { asService, type Caller } from '@gatehouse/contracts-core';
import type { MfaVerifyDto, SignedInResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MfaChallenges } from './mfa-challenges.ts';
import { SecondFactors, wrongCode } from '../factors/second-factors.ts';

/** POST /auth/mfa/verify: the second step of a sign-in. */
@Injectable()
export class VerifyMfa {
  constructor(
    private readonly work: UnitOfWork,
    private readonly mfaChallenges: MfaChallenges,
    private readonly secondFactors: SecondFactors,
  ) {}

  async execute(caller: Caller, { mfaToken, code, method }: MfaVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    const { userId } = await this.mfaChallenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.mfaChallenges.attempt(tx, tokenHash);
      const via = await this.secondFactors.check(tx, userId, { code, method });
      return via
        ? this.mfaChallenges.complete(tx, challenge, via)
        : this.mfaChallenges.recordFailure(tx, challenge, method);
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
