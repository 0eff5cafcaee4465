import { asService, type Caller } from '@gatehouse/contracts-core';
import type { MfaVerifyDto, SignedInResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { MfaChallenges } from './mfa-challenges.ts';
import { wrongCode } from '../sessions/session-of.ts';
import { SecondFactors } from '../factors/second-factors.ts';

/** POST /auth/mfa/verify: the second step of a sign-in. */
@Injectable()
export class VerifyMfa {
  constructor(
    private readonly work: UnitOfWork,
    private readonly challenges: MfaChallenges,
    private readonly factors: SecondFactors,
  ) {}

  async execute(caller: Caller, { mfaToken, code, method }: MfaVerifyDto): Promise<SignedInResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(mfaToken);
    const { userId } = await this.challenges.admit(service, tokenHash);
    const answer = await this.work.run(service, async (tx) => {
      const challenge = await this.challenges.attempt(tx, tokenHash);
      const via = await this.factors.check(tx, userId, { code, method });
      return via ? this.challenges.complete(tx, challenge, via) : this.challenges.recordFailure(tx, challenge, method);
    });
    if (!answer) throw wrongCode();
    return answer;
  }
}
