import type { LoginResponse } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Arrival, CompletePasswordSignIn } from './complete-password-sign-in.ts';
import { MfaChallengesRepository } from './mfa-challenges.repository.ts';

/**
 * Continues a sign-in after a password or an invitation: asks for the second factor if there is one, else completes it.
 */
@Injectable()
export class ContinuePasswordSignIn {
  constructor(
    private readonly mfaChallengesRepository: MfaChallengesRepository,
    private readonly completePasswordSignIn: CompletePasswordSignIn,
  ) {}

  async execute(tx: Tx, arrival: Arrival): Promise<LoginResponse> {
    const { account, membership, via } = arrival;
    if (account.methods.length === 0) return this.completePasswordSignIn.execute(tx, arrival, null);
    const mfaToken = randomToken();
    await this.mfaChallengesRepository.deleteExpired(tx, account.id);
    const challenge = { tokenHash: sha256Hex(mfaToken), userId: account.id, membershipId: membership.id, via };
    await this.mfaChallengesRepository.insert(tx, challenge);
    return { mfaRequired: true, mfaToken, methods: [...account.methods] };
  }
}
