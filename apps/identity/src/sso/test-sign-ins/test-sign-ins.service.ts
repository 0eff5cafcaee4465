import { asService, type Caller, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import type { TestSignInResponse, TestSignInStartedRecord, Verdict } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { type Reader, shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { type Ending, type Evidence, type Identity, WOULD } from '@gatehouse/identity-domain';
import { RateLimiter } from '@gatehouse/rate-limit';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { requireMayChange } from '../../providers/configuration/settings/provider-owner.ts';
import { ProviderTrustRepository } from '../../providers/configuration/store/provider-trust.repository.ts';
import type { SsoProvider } from '../../providers/configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import { requireNotFrozen } from '../../tenants/tenant-refs/frozen.ts';
import { AttemptsRepository } from '../attempt-log/attempts.repository.ts';
import { attemptNotFound, AttemptsService } from '../attempt-log/attempts.service.ts';
import { addressOf } from '../linking/start-linking.ts';
import { SsoLoginAccountsService } from '../login/accounts/sso-login-accounts.service.ts';
import { LoginRefused } from '../login/attempts/login-refused.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from '../login/attempts/login-sessions.repository.ts';
import { newSecrets, refusedAt, requireComplete } from '../login/attempts/sso-login-attempts.service.ts';
import { CALLBACK_PATH } from '../login/oidc/callback-path.ts';
import { SamlEngine } from '../saml/saml-engine.ts';
import { COMPLETE_PATH } from '../saml/saml-paths.ts';

/** A test, with what its answer needs beside the record. */
export interface StartedTest extends TestSignInStartedRecord {
  /** What the browser's state cookie binds. */
  readonly state: string;
  /** The path to which the browser sends the state cookie. */
  readonly callbackPath: string;
}

type Starter = Pick<ClaimedAttempt, 'startedBy' | 'setupLinkId'>;
type TestEnding = Pick<Ending, 'code' | 'cause' | 'evidence'> & {
  readonly id: string;
  readonly verdict: Verdict;
  readonly userId: string | null;
};

/** The verdicts that prove the configuration (SSO-96). */
const PROVING: readonly Verdict[] = ['would_sign_in', 'would_link', 'would_provision'];
const RESULTS: Partial<Record<Verdict, 'parked' | 'refused'>> = {
  would_ask_for_proof: 'parked',
  would_refuse: 'refused',
};
const toStarted = ({ id }: StartedTest): string => id;

/** Ends a transaction that must leave nothing. */
class RolledBack extends Error {}

/**
 * Test sign-ins (SSO-94 to SSO-99): the whole round trip through a provider, which ends in a record of what would have
 * become of the person, and in nothing else.
 */
@Injectable()
export class TestSignIns {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly attempts: AttemptsService,
    private readonly attemptsRepository: AttemptsRepository,
    private readonly ssoLoginAccounts: SsoLoginAccountsService,
    private readonly providerTrustRepository: ProviderTrustRepository,
    private readonly samlEngine: SamlEngine,
    private readonly rateLimiter: RateLimiter,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** `POST /sso/providers/:id/test-sign-ins` */
  async begin(caller: UserCaller, providerId: string): Promise<StartedTest> {
    await this.rateLimiter.require('ssoTest', caller.userId);
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const provider = await this.ssoProvidersRepository.get(tx, caller, providerId);
        requireMayChange(caller, provider);
        await requireNotFrozen(tx, provider.orgId);
        return this.start(tx, provider, { startedBy: caller.userId, setupLinkId: null });
      },
      shownOnce(toStarted),
    );
  }

  /**
   * Begins a test for the visitor of a set-up link. Its browser comes back to `/sso-setup`.
   * @param provider one that the caller has found in the link's own reach
   */
  async beginThroughLink(caller: Caller, setupLinkId: string, provider: SsoProvider): Promise<StartedTest> {
    await this.rateLimiter.require('ssoTest', setupLinkId);
    return this.work.run(caller, (tx) => this.start(tx, provider, { startedBy: null, setupLinkId }));
  }

  private async start(tx: Tx, provider: SsoProvider, starter: Starter): Promise<StartedTest> {
    requireComplete(provider);
    const [id, secrets] = [newId(), newSecrets()];
    const { state, ...kept } = secrets;
    const test = { ...kept, ...starter, attemptId: id, stateHash: sha256Hex(state) };
    const expiresAt = await this.loginSessionsRepository.beginTest(tx, provider, test);
    const url = await addressOf({ provider, ...secrets }, this.samlEngine, this.baseUrl);
    const callbackPath = provider.type === 'saml' ? COMPLETE_PATH : CALLBACK_PATH;
    return { id, url, expiresAt: expiresAt.toISOString(), state, callbackPath };
  }

  /** `GET /sso/test-sign-ins/:id` */
  get(caller: UserCaller, id: string): Promise<TestSignInResponse> {
    return this.work.read(caller, (reader) => this.read(reader, caller.scope, { attemptId: id, setupLinkId: null }));
  }

  /**
   * Reads a test; with `setupLinkId` one of that link only.
   * @throws ProblemError sso_attempt_not_found
   */
  async read(
    reader: Reader,
    scope: TenantScope,
    test: { readonly attemptId: string; readonly setupLinkId: string | null },
  ): Promise<TestSignInResponse> {
    const { attemptId, setupLinkId } = test;
    const attempt = await this.attempts.find(reader, scope, { id: attemptId, kind: 'test', setupLinkId });
    if (attempt) return { data: { id: attempt.id, status: 'done', attempt } };
    const begun = await this.loginSessionsRepository.findTest(reader, scope, test);
    if (!begun) throw attemptNotFound();
    return { data: { id: attemptId.toLowerCase(), status: begun.isWaiting ? 'waiting' : 'expired', attempt: null } };
  }

  /**
   * Whether a test of this link passed every step up to `domain` in the provider's present configuration; what would
   * have become of the person does not matter.
   */
  async isTestedThroughLink(reader: Reader, setupLinkId: string, provider: SsoProvider): Promise<boolean> {
    const tests = await this.attemptsRepository.testsOfLink(reader, setupLinkId, provider);
    return tests.some(({ id, traceSealed }) => {
      const { steps } = this.attempts.open(id, traceSealed);
      return steps
        .slice(
          0,
          steps.findIndex(({ step }) => step === 'account'),
        )
        .every(({ outcome }) => outcome === 'ok');
    });
  }

  /** Decides about a verified answer as a sign-in would, and records what would have become of the person. */
  async conclude(
    caller: Caller,
    { attempt, identity, evidence }: { attempt: ClaimedAttempt; identity: Identity; evidence: Evidence },
  ): Promise<void> {
    const service = asService('identity', caller.origin);
    let userId: string | null = null;
    const tried = this.work.run(service, async (tx) => {
      const found = await this.ssoLoginAccounts.tryOut(tx, attempt, identity);
      if (!found) throw new LoginRefused('provider_changed', refusedAt(attempt));
      userId = found.person?.userId ?? null;
      Object.assign(evidence, { facts: found.facts, decision: found.decision, role: found.role });
      throw new RolledBack();
    });
    await tried.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    const { decision } = evidence;
    if (decision?.kind === 'refuse') throw new LoginRefused(decision.code, refusedAt(attempt));
    const verdict = decision ? WOULD[decision.kind] : 'not_told';
    const code = verdict === 'would_ask_for_proof' ? 'link_required' : null;
    const ending = { id: attempt.attemptId ?? newId(), verdict, code, userId, evidence } as const;
    await this.work.run(service, (tx) => this.record(tx, attempt, ending));
  }

  /** Writes how a test ended, once. */
  async record(tx: Tx, attempt: ClaimedAttempt, ending: TestEnding): Promise<void> {
    const { id: attemptId, verdict, code } = ending;
    const { id, name, partnerId, orgId, startedBy, setupLinkId } = attempt;
    const result = RESULTS[verdict] ?? 'success';
    await this.attempts.record(tx, tx.caller, {
      ...ending,
      provider: attempt,
      kind: 'test',
      protocol: attempt.type,
      result,
      setupLinkId,
    });
    if (PROVING.includes(verdict)) await this.providerTrustRepository.markTested(tx, attempt);
    tx.audit({
      action: 'sso.provider.test',
      resource: { type: 'sso_provider', id, name },
      ...(startedBy && { actor: { type: 'user', id: startedBy, name: null } }),
      partnerId,
      orgId,
      result: result === 'refused' ? 'failure' : 'success',
      details: { kind: 'sign_in', attemptId, verdict, code, ...(setupLinkId && { setupLinkId }) },
    });
  }
}

/** The page on which a test ends. */
export const testPage = ({ attemptId, setupLinkId }: ClaimedAttempt): string =>
  `${setupLinkId ? '/sso-setup' : '/sso-test'}?attempt=${attemptId ?? ''}`;
