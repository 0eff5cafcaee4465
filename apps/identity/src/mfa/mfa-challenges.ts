import type { ServiceCaller } from '@gatehouse/contracts-core';
import type { MfaMethod, SignedInResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../people/accounts.repository.ts';
import { recordLoginFailure } from '../people/login-failure.ts';
import { deadChallenge } from '../sessions/session-of.ts';
import { type Arrival, CompletePasswordSignIn } from '../sign-in/complete-password-sign-in.ts';

export interface MfaChallenge {
  readonly tokenHash: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly via: Arrival['via'];
  readonly webauthnChallenge: string | null;
}

const FIELDS = 'token_hash, user_id, membership_id, via, webauthn_challenge';
const FIND = `SELECT ${FIELDS} FROM mfa_challenges WHERE token_hash = $1 AND expires_at > now()`;
/**
 * Allows five attempts. The row stays locked until the attempt is checked, so parallel attempts wait for its outcome.
 */
const ATTEMPT = `UPDATE mfa_challenges SET attempts = attempts + 1 WHERE token_hash = $1 AND expires_at > now() AND attempts < 5 RETURNING ${FIELDS}`;
const CONSUME = `DELETE FROM mfa_challenges WHERE token_hash = $1`;

/** Sign-ins that wait for a second factor. */
@Injectable()
export class MfaChallenges {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly completePasswordSignIn: CompletePasswordSignIn,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws ProblemError mfa_token_invalid */
  async find(caller: ServiceCaller, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await this.work.read(caller, (reader) => reader.one<MfaChallenge>(FIND, [tokenHash]));
    if (!challenge) throw deadChallenge();
    return challenge;
  }

  /**
   * Admits an attempt. @throws ProblemError mfa_token_invalid, or rate_limited for all attempts of the user together
   */
  async admit(caller: ServiceCaller, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await this.find(caller, tokenHash);
    await this.limiter.require('mfa', challenge.userId);
    return challenge;
  }

  /** Counts an attempt. @throws ProblemError mfa_token_invalid */
  async attempt(tx: Tx, tokenHash: string): Promise<MfaChallenge> {
    const challenge = await tx.one<MfaChallenge>(ATTEMPT, [tokenHash]);
    if (!challenge) throw deadChallenge();
    return challenge;
  }

  /** Opens the session, unless the user may no longer sign in. */
  async complete(
    tx: Tx,
    { tokenHash, userId, membershipId, via }: MfaChallenge,
    mfaVia: MfaMethod,
  ): Promise<SignedInResponse> {
    await tx.query(CONSUME, [tokenHash]);
    const account = await this.accounts.byId(tx, userId);
    const membership = account?.memberships.find(({ id }) => id === membershipId);
    if (!account || !membership) throw deadChallenge();
    return this.completePasswordSignIn.execute(tx, { account, membership, via }, mfaVia);
  }

  async recordFailure(tx: Tx, { userId }: MfaChallenge, method: MfaMethod | undefined): Promise<null> {
    recordLoginFailure(tx, await this.accounts.byId(tx, userId), {
      reason: 'wrong_second_factor',
      ...(method && { method }),
    });
    return null;
  }
}
