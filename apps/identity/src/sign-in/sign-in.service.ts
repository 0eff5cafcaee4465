import { ProblemError } from '@gatehouse/contracts-core';
import type { LoginResponse, MfaStateRecord, SignedInResponse } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../providers/enforcement/enforcement.repository.ts';
import type { Account, LiveMembership, UpcomingEnforcement } from '../people/accounts.repository.ts';
import { OpenSession } from '../sessions/open-session.ts';
import type { SignInMeans } from '../sessions/sessions.repository.ts';
import { loginUrlOf } from '../providers/home-realm/home-realm.service.ts';
import { CompleteSignIn } from './complete-sign-in.ts';
import { deadChallenge, MfaChallengesRepository } from './mfa-challenges.repository.ts';

/** A user whose password or invitation was accepted, and the membership that they sign in to. */
interface Arrival {
  readonly account: Pick<Account, 'id' | 'email' | 'name' | 'breakGlass' | 'methods'>;
  readonly membership: LiveMembership;
  readonly via: Exclude<SignInMeans, 'sso'>;
}

/** Only a user who has proved everything learns of it (SSO-152). */
function noticeOf(upcoming: UpcomingEnforcement | null): Pick<SignedInResponse, 'notice'> {
  if (!upcoming?.enforceAt) return {};
  const { name: providerName, enforceAt } = upcoming;
  const notice = { kind: 'sso_enforcement', providerName, loginUrl: loginUrlOf(upcoming) } as const;
  return { notice: { ...notice, enforceAt: new Date(enforceAt).toISOString() } };
}

@Injectable()
export class SignInService {
  constructor(
    private readonly completeSignIn: CompleteSignIn,
    private readonly openSession: OpenSession,
    private readonly enforcementRepository: EnforcementRepository,
    private readonly mfaChallengesRepository: MfaChallengesRepository,
  ) {}

  /**
   * Opens the session of a user who signed in without a provider, and issues its tokens.
   * @param mfaVia the second factor that was proved, or null
   * @throws ProblemError for a membership that only an identity provider opens: mfa_token_invalid after a second
   * factor, else invalid_credentials
   */
  async completePasswordSignIn(
    tx: Tx,
    { account, membership, via }: Arrival,
    mfaVia: string | null,
  ): Promise<SignedInResponse> {
    const { id, email, name, breakGlass } = account;
    const upcoming = breakGlass ? null : membership.upcoming;
    const means = { via, wouldBeGoverned: upcoming !== null };
    const sessionId = await this.completeSignIn.complete(tx, { user: account, membership, means, mfaVia });
    // Checked only now, after the session exists: enforcement that begins later waits for this session and revokes it.
    if (await this.enforcementRepository.isGoverned(tx, membership.id))
      throw mfaVia ? deadChallenge() : new ProblemError('invalid_credentials');
    const tokens = await this.openSession.issueTokens(tx, sessionId);
    const mfa: MfaStateRecord = { satisfied: mfaVia !== null, enrolled: account.methods.length > 0 };
    return { ...tokens, user: { id, email, name }, mfa, ...noticeOf(upcoming) };
  }

  /**
   * Continues a sign-in after a password or an invitation: asks for the second factor, if any, else completes it.
   */
  async continuePasswordSignIn(tx: Tx, arrival: Arrival): Promise<LoginResponse> {
    const { account, membership, via } = arrival;
    if (account.methods.length === 0) return this.completePasswordSignIn(tx, arrival, null);
    const mfaToken = randomToken();
    await this.mfaChallengesRepository.deleteExpired(tx, account.id);
    const challenge = { tokenHash: sha256Hex(mfaToken), userId: account.id, membershipId: membership.id, via };
    if (!(await this.mfaChallengesRepository.insert(tx, challenge))) throw new ProblemError('invalid_credentials');
    return { mfaRequired: true, mfaToken, methods: [...account.methods] };
  }
}
