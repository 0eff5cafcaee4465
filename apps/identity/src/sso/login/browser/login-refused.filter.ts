import type { GuardedRequest } from '@gatehouse/auth';
import { API_PREFIX, asService, NOWHERE, type Origin } from '@gatehouse/contracts-core';
import { SsoSignInRefused } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { StepFailure } from '@gatehouse/identity-domain';
import { RateLimiter } from '@gatehouse/rate-limit';
import { BASE_URL, LOGGER, type Logger, requestIdsOf } from '@gatehouse/service';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AttemptsService } from '../../../providers/attempt-log/attempts.service.ts';
import { LoginRefused, type RefusedAt } from '../attempts/login-refused.ts';
import { LoginSessionsRepository } from '../attempts/login-sessions.repository.ts';
import { refusedAt } from '../attempts/sso-login-attempts.service.ts';
import { CompleteTestSignIn, testPage } from '../complete-test-sign-in.ts';
import { StateCookies } from './state-cookies.ts';
import { FOUND, SEE_OTHER, sendBrowser } from './return-to-app.ts';

/** A refusal with what its record needs. */
interface Recorded {
  readonly attemptId: string;
  readonly refused: LoginRefused;
  readonly origin: Origin;
  readonly isSaml: boolean;
}

const NO_PLACE = { provider: null, linkingUserId: null };
const EXPIRED = new StepFailure('callback', 'attempt_expired', 'the person came back after the sign-in had expired');

/** Where a sign-in was refused, and its reference: a test has one since it began. */
interface Refused {
  readonly at: RefusedAt | null;
  readonly attemptId: string;
}

const refusedWith = (at: RefusedAt | null, attemptId: string): Refused => ({
  at,
  attemptId: at?.test?.attemptId ?? attemptId,
});

function pageAfter(refused: LoginRefused, at: RefusedAt | null, attemptId: string): string {
  const reference = `${refused.code}&attempt=${attemptId}`;
  if (refused.at?.test) return testPage(refused.at.test);
  return at?.linkingUserId ? `/settings/profile?ssoLinkError=${reference}` : `/login?error=${reference}`;
}

/** A place that was found only afterwards is that of an attempt which had expired. */
const causeOf = (refused: LoginRefused, at: RefusedAt | null): unknown => (at === refused.at ? refused.cause : EXPIRED);

const endOfTest = ({ attemptId: id, refused }: Recorded, at: RefusedAt) => ({
  id,
  verdict: 'would_refuse' as const,
  code: refused.code,
  cause: causeOf(refused, at),
  userId: null,
  evidence: refused.evidence,
});

/** Redirects the browser to our login page after a failed round trip through a provider. */
@Catch(LoginRefused)
@Injectable()
export class LoginRefusedFilter implements ExceptionFilter<LoginRefused> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly stateCookies: StateCookies,
    private readonly attempts: AttemptsService,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly rateLimiter: RateLimiter,
    private readonly completeTestSignIn: CompleteTestSignIn,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async catch(refused: LoginRefused, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const [path = API_PREFIX] = request.url.split('?');
    const origin = request.caller?.origin ?? NOWHERE;
    const isSaml = path.includes('/saml/');
    const { at, attemptId } = await this.record({ attemptId: newId(), refused, origin, isSaml });
    const reason = refused.cause instanceof Error ? { err: refused.cause } : {};
    this.log.warn(
      { code: refused.code, attemptId, provider: at?.provider.id, ...requestIdsOf(request), ...reason },
      'a sign-in through a provider was refused',
    );
    const status = request.method === 'POST' ? SEE_OTHER : FOUND;
    // Until an attempt is claimed, the cookie may belong to another attempt that is still in progress.
    const cookies = refused.at ? [this.stateCookies.clear(path)] : [];
    const page = pageAfter(refused, at, attemptId);
    sendBrowser(http.getResponse<FastifyReply>(), this.baseUrl + page, cookies, status);
  }

  /**
   * The records of one client are limited; refusals of a known provider are audited beyond that.
   * @returns where it was refused: for a late return, at the provider of the attempt that has expired
   */
  private async record(recorded: Recorded): Promise<Refused> {
    const { refused, origin } = recorded;
    const known = refusedWith(refused.at, recorded.attemptId);
    // Tests have a limit of their own, and each is to be found.
    const allowed =
      Boolean(refused.at?.test) || (await this.rateLimiter.use('ssoAttemptLog', origin.ip ?? 'unknown')).allowed;
    if (!allowed && !refused.at) return known;
    return this.work
      .run(asService('identity', origin), async (tx) => {
        const found = refused.at ? known : refusedWith(await this.lateAt(tx, refused), recorded.attemptId);
        const { at, attemptId } = found;
        if (at?.test) await this.completeTestSignIn.record(tx, at.test, endOfTest({ ...recorded, attemptId }, at));
        else if (allowed) await this.recordAttempt(tx, recorded, at);
        if (at && !at.test) this.announce(tx, recorded, { at, isKept: allowed });
        return found;
      })
      .catch((error: unknown) => {
        this.log.error({ err: error }, 'a refused sign-in could not be recorded');
        return known;
      });
  }

  private async lateAt(tx: Tx, { state }: LoginRefused): Promise<RefusedAt | null> {
    if (typeof state !== 'string') return null;
    const expired = await this.loginSessionsRepository.takeExpired(tx, sha256Hex(state));
    return expired && refusedAt(expired);
  }

  private recordAttempt(
    tx: Tx,
    { attemptId: id, refused, origin, isSaml }: Recorded,
    at: RefusedAt | null,
  ): Promise<void> {
    const { code, evidence } = refused;
    const { provider, linkingUserId } = at ?? NO_PLACE;
    return this.attempts.record(
      tx,
      { origin },
      {
        id,
        provider,
        kind: linkingUserId ? 'link' : 'sign_in',
        protocol: isSaml ? 'saml' : 'oidc',
        result: 'refused',
        verdict: 'refused',
        code,
        cause: causeOf(refused, at),
        userId: linkingUserId,
        evidence,
      },
    );
  }

  private announce(
    tx: Tx,
    { attemptId, refused: { code } }: Recorded,
    { at, isKept }: { at: RefusedAt; isKept: boolean },
  ): void {
    const { id: providerId, name, partnerId, orgId } = at.provider;
    tx.audit({
      action: 'sso.login.rejected',
      resource: { type: 'sso_provider', id: providerId, name },
      partnerId,
      orgId,
      result: 'failure',
      details: { code, attemptId },
    });
    if (isKept)
      tx.emit(SsoSignInRefused, { attemptId, providerId, orgId, partnerId, code }, { aggregateId: attemptId });
  }
}
