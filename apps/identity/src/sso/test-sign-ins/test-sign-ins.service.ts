import type { SetupCaller, TenantScope, UserCaller } from '@gatehouse/contracts-core';
import type { TestSignInResponse, TestSignInStartedRecord } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { type Reader, shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { requireMayChange } from '../../providers/configuration/settings/provider-owner.ts';
import type { SsoProvider } from '../../providers/configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { AttemptsRepository } from '../../providers/attempt-log/attempts.repository.ts';
import { attemptNotFound, AttemptsService } from '../../providers/attempt-log/attempts.service.ts';
import { addressOf } from '../linking/start-linking.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from '../login/attempts/login-sessions.repository.ts';
import { newSecrets, requireComplete } from '../login/attempts/sso-login-attempts.service.ts';
import { COMPLETE_PATH, SamlEngine } from '../saml/saml-engine.ts';
import { CALLBACK_PATH } from '../login/oidc/authorization-url.ts';

/** A test, with what its answer needs beside the record. */
export interface StartedTest extends TestSignInStartedRecord {
  /** What the browser's state cookie binds. */
  readonly state: string;
  /** The path to which the browser sends the state cookie. */
  readonly callbackPath: string;
}

type Starter = Pick<ClaimedAttempt, 'startedBy' | 'setupLinkId'>;

const toStarted = ({ id }: StartedTest): string => id;

/** Begins and reads test sign-ins (SSO-94 to SSO-99): the whole round trip through a provider. */
@Injectable()
export class TestSignIns {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly attempts: AttemptsService,
    private readonly attemptsRepository: AttemptsRepository,
    private readonly samlEngine: SamlEngine,
    private readonly rateLimiter: RateLimiter,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async begin(caller: UserCaller, providerId: string): Promise<StartedTest> {
    await this.rateLimiter.require('ssoTest', caller.userId);
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const provider = await this.ssoProvidersRepository.get(tx, caller, providerId);
        requireMayChange(caller, provider);
        await requireOpenOwner(tx, provider);
        return this.start(tx, provider, { startedBy: caller.userId, setupLinkId: null });
      },
      shownOnce(toStarted),
    );
  }

  /**
   * Begins a test for the visitor of a set-up link. Its browser comes back to `/sso-setup`.
   * @param provider one that the caller has found in the link's own reach
   */
  async beginThroughLink(
    caller: SetupCaller['author'],
    setupLinkId: string,
    provider: SsoProvider,
  ): Promise<StartedTest> {
    await this.rateLimiter.require('ssoTest', setupLinkId);
    return this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.start(tx, provider, { startedBy: caller.setupVisit.id, setupLinkId }),
      shownOnce(toStarted),
    );
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
}
