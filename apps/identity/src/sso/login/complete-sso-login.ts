import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { Verdict } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { constraintOf, type Tx, UnitOfWork } from '@gatehouse/database';
import {
  type AccountDecision,
  type Evidence,
  type Identity,
  mapClaims,
  mappingFailure,
  mfaEvidenceOf,
  StepFailure,
} from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { AttemptsService, type EndedAttempt } from '../../providers/attempt-log/attempts.service.ts';
import { CompleteTestSignIn, testPage } from './complete-test-sign-in.ts';
import { claimMappingOf, SsoLoginAccountsService } from './accounts/sso-login-accounts.service.ts';
import { refusedAt } from './attempts/sso-login-attempts.service.ts';
import { ParkedLinksRepository } from './accounts/parked-links.repository.ts';
import { LoginRefused } from './attempts/login-refused.ts';
import type { ClaimedAttempt } from './attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from './oidc/oidc-engine.ts';

/** A browser that returned from its provider; OpenID Connect and SAML differ in the two functions. */
export interface ReturnFromProvider<A extends ClaimedAttempt> {
  /** Consumes the attempt that the browser began. */
  readonly claim: () => Promise<A>;
  /** Fetches and verifies the provider's answer. */
  readonly redeem: (attempt: A) => Promise<VerifiedAnswer>;
  /** The value that identifies the browser. */
  readonly browser: string;
}

interface VerifiedLogin {
  readonly attempt: ClaimedAttempt;
  /** The reference of this attempt. */
  readonly attemptId: string;
  readonly signIn: VerifiedAnswer;
  readonly identity: Identity;
  readonly evidence: Evidence;
  readonly browser: string;
}

/** `code` for the exchange endpoint, or the token of a parked link when the user must prove the account first. */
export type LoginResult =
  | { readonly kind: 'signed_in'; readonly redirectPath: string; readonly code: string }
  | { readonly kind: 'parked'; readonly token: string; readonly attemptId: string }
  | { readonly kind: 'linked' }
  /** A test, which ends on a page of ours. */
  | { readonly kind: 'tested'; readonly page: string };

const ENDED = new StepFailure('callback', 'state_unknown', 'the session that links has ended');

/** A link that only the provider's claims support. */
const ADOPTED = { before: null, after: { selfLinked: false } };

type Account = Extract<AccountDecision, { membershipId: string }>;

/** Every sign-in through a provider, from the browser's return to the exchange code (SSO-11 to SSO-25). */
@Injectable()
export class CompleteSsoLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoLoginAccounts: SsoLoginAccountsService,
    private readonly parkedLinksRepository: ParkedLinksRepository,
    private readonly attempts: AttemptsService,
    private readonly completeTestSignIn: CompleteTestSignIn,
  ) {}

  /** @throws LoginRefused */
  async complete<A extends ClaimedAttempt>(
    caller: Caller,
    { claim, redeem, browser }: ReturnFromProvider<A>,
  ): Promise<LoginResult> {
    const attempt = await claim();
    const signIn = await redeem(attempt);
    const evidence: Evidence = { documents: signIn.documents };
    if (attempt.purpose === 'test') evidence.mfa = mfaEvidenceOf(attempt, signIn.authentication ?? {});
    try {
      const identity = (evidence.identity = identityOf(attempt, signIn));
      const login = { attempt, attemptId: newId(), signIn, identity, evidence, browser };
      if (attempt.purpose === 'test') return await this.test(caller, login);
      return await againAfterRaces(() =>
        this.work.run(asService('identity', caller.origin), async (tx) =>
          attempt.linkingUserId ? this.link(tx, login) : this.enter(tx, login, await this.decide(tx, login)),
        ),
      );
    } catch (error) {
      throw Object.assign(asLoginRefused(error, attempt), { evidence });
    }
  }

  private async test(caller: Caller, login: VerifiedLogin): Promise<LoginResult> {
    await againAfterRaces(() => this.completeTestSignIn.conclude(caller, login));
    return { kind: 'tested', page: testPage(login.attempt) };
  }

  private async decide(tx: Tx, { attempt, identity, evidence }: VerifiedLogin): Promise<AccountDecision> {
    const decided = await this.ssoLoginAccounts.decide(tx, attempt, identity);
    evidence.facts = decided?.facts;
    evidence.decision = decided?.decision ?? { kind: 'refuse', code: 'provider_changed' };
    return evidence.decision;
  }

  private async enter(tx: Tx, login: VerifiedLogin, decision: AccountDecision): Promise<LoginResult> {
    const { attempt, identity } = login;
    switch (decision.kind) {
      case 'refuse':
        throw new LoginRefused(decision.code, refusedAt(attempt));
      case 'park':
        return this.park(tx, login, decision.userId);
      case 'provision':
        return this.signIn(tx, login, await this.ssoLoginAccounts.provisionUser(tx, attempt, identity));
      default:
        return this.signIn(tx, login, decision);
    }
  }

  private async park(tx: Tx, login: VerifiedLogin, userId: string): Promise<LoginResult> {
    const { attempt, attemptId, signIn } = login;
    const [token] = await Promise.all([
      this.parkedLinksRepository.insert(tx, { userId, attempt, signIn, attemptId }),
      this.attempts.record(tx, tx.caller, this.ended(login, { verdict: 'parked', userId })),
    ]);
    return { kind: 'parked', token, attemptId };
  }

  private ended(
    { attempt, attemptId: id, evidence }: VerifiedLogin,
    { verdict, userId }: { verdict: Verdict; userId: string },
  ): EndedAttempt {
    const isParked = verdict === 'parked';
    return {
      id,
      provider: attempt,
      kind: attempt.linkingUserId ? 'link' : 'sign_in',
      protocol: attempt.type,
      result: isParked ? 'parked' : 'success',
      code: isParked ? 'link_required' : null,
      verdict,
      userId,
      evidence,
    };
  }

  private async signIn(
    tx: Tx,
    login: VerifiedLogin,
    { kind, userId, membershipId, breakGlass }: Account,
  ): Promise<LoginResult> {
    const { attempt, attemptId, signIn, identity, evidence, browser } = login;
    const code = randomToken();
    const verdict = evidence.decision?.kind === 'provision' ? 'provisioned' : kind === 'adopt' ? 'linked' : 'signed_in';
    evidence.mfa = mfaEvidenceOf(attempt, signIn.authentication ?? {});
    const record = this.attempts.prepare(tx.caller, this.ended(login, { verdict, userId }));
    const sessionId = await this.ssoLoginAccounts.enterThroughProvider(
      tx,
      {
        provider: attempt,
        signIn,
        identity,
        user: { id: userId, breakGlass },
        membershipId,
        link: kind === 'adopt' ? ADOPTED : null,
        mfaVia: null,
        attemptId,
      },
      { hash: sha256Hex(code), browserHash: sha256Hex(browser), attempt: record, makesLink: verdict !== 'signed_in' },
    );
    if (sessionId === null) throw new Overtaken('identity_conflict', refusedAt(attempt));
    return { kind: 'signed_in', redirectPath: attempt.redirectPath, code };
  }

  /** The round trip was begun by a signed-in user to link the identity. */
  private async link(tx: Tx, login: VerifiedLogin): Promise<LoginResult> {
    const { attempt } = login;
    const fault = await this.ssoLoginAccounts.linkIdentity(tx, login);
    if (fault) throw new LoginRefused(fault, refusedAt(attempt), fault === 'session_expired' ? { cause: ENDED } : {});
    const ended = this.ended(login, { verdict: 'linked', userId: attempt.linkingUserId ?? '' });
    await this.attempts.record(tx, tx.caller, ended);
    return { kind: 'linked' };
  }
}

function identityOf(attempt: ClaimedAttempt, { documents }: VerifiedAnswer): Identity {
  const identity = mapClaims(documents, claimMappingOf(attempt));
  if (identity) return identity;
  const cause = mappingFailure(documents, claimMappingOf(attempt), attempt.attributeMapping.email);
  throw new LoginRefused('sso_error', refusedAt(attempt), { cause });
}

/** The unique constraints that two concurrent first sign-ins of one user violate. */
const RACES = new Set([
  'user_email_unique',
  'membership_unique',
  'identity_belongs_to_one_user',
  'user_has_one_identity_per_provider',
]);
const MAX_TRIES = 4;

/** The link on which a sign-in was decided has changed since. */
class Overtaken extends LoginRefused {}

/** Repeats a transaction that lost a race: it then decides by what the winner left. */
async function againAfterRaces<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isRace = error instanceof Overtaken || RACES.has(constraintOf(error) ?? '');
      if (!isRace || attempt === MAX_TRIES) throw error;
    }
  }
}

/**
 * A membership that was removed during the sign-in becomes `no_org_access` or `no_partner_access`. An unexpected error
 * becomes `sso_error` for the browser and an error in the log.
 */
function asLoginRefused(error: unknown, attempt: ClaimedAttempt): LoginRefused {
  if (error instanceof LoginRefused) return error;
  const lostAccess = error instanceof ProblemError && error.code === 'invalid_credentials';
  const noAccess = attempt.orgId ? 'no_org_access' : 'no_partner_access';
  return new LoginRefused(lostAccess ? noAccess : 'sso_error', refusedAt(attempt), { cause: error });
}
