import { ProblemError } from '@gatehouse/contracts-core';
import type { MfaStateRecord, SignedInResponse } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';
import type { Account, LiveMembership } from '../people/accounts.repository.ts';
import { OpenSession } from '../sessions/open-session.ts';
import type { SignInMeans } from '../sessions/session.entities.ts';
import { deadChallenge } from './mfa-challenges.repository.ts';
import { CompleteSignIn } from './complete-sign-in.ts';

/** A user whose password or invitation was accepted, and the membership that they sign in to. */
export interface Arrival {
  readonly account: Pick<Account, 'id' | 'email' | 'name' | 'breakGlass' | 'methods'>;
  readonly membership: LiveMembership;
  readonly via: Exclude<SignInMeans, 'sso'>;
}

/** Opens the session of a user who signed in without a provider, and issues its tokens. */
@Injectable()
export class CompletePasswordSignIn {
  constructor(
    private readonly completeSignIn: CompleteSignIn,
    private readonly openSession: OpenSession,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  /**
   * @param mfaVia the second factor that was proved, or null
   * @throws ProblemError for a membership that only an identity provider opens: mfa_token_invalid after a second
   * factor, else invalid_credentials
   */
  async execute(tx: Tx, { account, membership, via }: Arrival, mfaVia: string | null): Promise<SignedInResponse> {
    const { id, email, name } = account;
    const sessionId = await this.completeSignIn.execute(tx, { user: account, membership, means: { via }, mfaVia });
    // Checked only now, after the session exists: enforcement that begins later waits for this session and revokes it.
    if (await this.enforcementRepository.isGoverned(tx, membership.id))
      throw mfaVia ? deadChallenge() : new ProblemError('invalid_credentials', 'Invalid email or password.');
    const tokens = await this.openSession.issueTokens(tx, sessionId);
    const mfa: MfaStateRecord = { satisfied: mfaVia !== null, enrolled: account.methods.length > 0 };
    return { ...tokens, user: { id, email, name }, mfa };
  }
}
