import { asService, type Caller, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SsoProtocol, StepCode } from '@gatehouse/contracts-identity';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { missingSettings, redirectPath, StepFailure } from '@gatehouse/identity-domain';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { settingsForCompleteness } from '../../../providers/configuration/sso-providers.service.ts';
import type { SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import { StateCookies } from '../browser/state-cookies.ts';
import { LoginRefused, type RefusedAt } from './login-refused.ts';
import { type ClaimedAttempt, type LoginOwner, LoginSessionsRepository } from './login-sessions.repository.ts';
import { isUUID } from 'class-validator';
import { Every } from '@gatehouse/service';

export const refusedAt = (attempt: ClaimedAttempt): RefusedAt => ({
  provider: attempt,
  linkingUserId: attempt.linkingUserId,
  test: attempt.purpose === 'test' ? attempt : undefined,
});

/** The refusal of a return that claims no attempt. */
export const sessionExpired = (state: unknown, code: StepCode = 'state_unknown'): LoginRefused =>
  new LoginRefused('session_expired', null, { state, cause: new StepFailure('callback', code, LOST[code] ?? '') });
const LOST: Partial<Record<StepCode, string>> = {
  state_unknown: 'no sign-in under way has this state: it ended, or it was never begun',
  cookie_mismatch: 'the browser did not show the cookie of the sign-in that it returned to',
};

interface StartInput {
  readonly owner: LoginOwner;
  readonly protocol: SsoProtocol;
  readonly redirect: unknown;
  /** The signed-in user who links an identity, in this session. */
  readonly linking?: Pick<UserCaller, 'userId' | 'sessionId'>;
}

/** A sign-in attempt that waits for the provider's answer. */
export interface StartedLogin {
  readonly provider: SsoProvider;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The id of the SAML request. */
  readonly requestId: string;
}

/** SSO-10: fresh secrets for each attempt. */
export const newSecrets = (): Omit<StartedLogin, 'provider'> => ({
  state: randomToken(),
  nonce: randomToken(),
  codeVerifier: randomToken(),
  requestId: `_${randomToken()}`,
});

const SAML_ENTRY = '/api/v1/sso/saml/login';

/** @throws ProblemError sso_provider_incomplete */
export function requireComplete(provider: SsoProvider): void {
  const missing = missingSettings(provider.type, settingsForCompleteness(provider));
  if (missing.length > 0)
    throw new ProblemError('sso_provider_incomplete', 'The provider is not fully configured.', { missing });
}

function requireUsable(provider: SsoProvider | null, protocol: SsoProtocol): SsoProvider {
  if (!provider) throw new ProblemError('sso_provider_not_found');
  if (provider.type !== protocol) {
    const entry = provider.orgId ? `${SAML_ENTRY}/${provider.orgId}` : `${SAML_ENTRY}/partner/${provider.partnerId}`;
    throw new ProblemError(
      'sso_protocol_mismatch',
      protocol === 'oidc' ? `This provider uses SAML; start at ${entry}.` : 'This provider uses OpenID Connect.',
      protocol === 'oidc' ? { loginUrl: entry } : {},
    );
  }
  requireComplete(provider);
  return provider;
}

@Injectable()
export class SsoLoginAttemptsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly stateCookies: StateCookies,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * SSO-11, SSO-12, SSO-13: checks the browser's cookie, consumes the attempt, and then requires that the provider's
   * configuration has not changed since the attempt began.
   * Consumes the attempt of OpenID Connect that the browser began. An attempt of SAML ends here without a sign-in: its
   * provider may still have OpenID settings of another source.
   * @throws LoginRefused session_expired (a cookie that does not match leaves the attempt unconsumed), provider_changed
   */
  async claim(
    caller: Caller,
    { state, cookie }: { state: unknown; cookie: string | undefined },
  ): Promise<ClaimedAttempt> {
    if (typeof state !== 'string' || !this.stateCookies.matches(cookie, state))
      throw sessionExpired(state, 'cookie_mismatch');
    return this.consume(caller, state);
  }

  /**
   * Returns the attempt that a provider's form answers without consuming it: the form arrives without our cookie, so it
   * proves nothing yet.
   * @throws LoginRefused session_expired (also for an attempt of OpenID Connect), provider_changed
   */
  async find(caller: Caller, state: string): Promise<ClaimedAttempt> {
    const attempt = await this.work.read(asService('identity', caller.origin), (reader) =>
      this.loginSessionsRepository.find(reader, sha256Hex(state)),
    );
    if (attempt?.type !== 'saml') throw sessionExpired(state);
    return this.requireUnchanged(attempt);
  }

  private async consume(caller: Caller, state: string): Promise<ClaimedAttempt> {
    const attempt = await this.work.autocommit(asService('identity', caller.origin), (statement) =>
      this.loginSessionsRepository.claim(statement, sha256Hex(state)),
    );
    if (!attempt || this.requireUnchanged(attempt).type !== 'oidc') throw sessionExpired(state);
    return attempt;
  }

  private requireUnchanged(attempt: ClaimedAttempt): ClaimedAttempt {
    const isInUse = attempt.status === 'active' || attempt.purpose === 'test';
    if (!isInUse || attempt.attemptVersion !== attempt.configVersion)
      throw new LoginRefused('provider_changed', refusedAt(attempt));
    return attempt;
  }

  async startSsoLogin(caller: Caller, input: StartInput): Promise<StartedLogin> {
    await this.requireFewStarts(caller);
    return this.work.autocommit(asService('identity', caller.origin), (statement) => this.begin(statement, input));
  }

  async requireFewStarts({ origin }: Caller): Promise<void> {
    await this.rateLimiter.require('ssoStart', origin.ip ?? 'unknown');
  }

  /**
   * SSO-10: creates fresh secrets for each attempt, of OpenID Connect or SAML, and binds them to the provider's
   * configuration.
   */
  async begin(statement: Reader, { owner, protocol, redirect, linking }: StartInput): Promise<StartedLogin> {
    const { state, nonce, codeVerifier, requestId } = newSecrets();
    const attempt = {
      stateHash: sha256Hex(state),
      nonce,
      codeVerifier,
      redirectPath: redirectPath(redirect),
      linkingUserId: linking?.userId ?? null,
      startedBy: linking?.sessionId ?? null,
      requestId,
      protocol,
    };
    const provider = await this.loginSessionsRepository.begin(statement, owner, attempt);
    return { provider: requireUsable(provider, protocol), state, nonce, codeVerifier, requestId };
  }
}

/** Returns the tenant that a login address names: an organisation or a partner. */
export function ownerIn({ orgId, partnerId }: { readonly orgId?: string; readonly partnerId?: string }): LoginOwner {
  if (!isUUID(orgId ?? partnerId)) throw new ProblemError('sso_provider_not_found');
  return orgId ? { orgId } : { partnerId: partnerId ?? '' };
}

const EVERY_MS = 5 * 60_000;

/** Deletes expired rows to save space. Every use checks the expiry itself. */
@Injectable()
export class SweepOneTimeValues {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginSessionsRepository: LoginSessionsRepository,
  ) {}

  @Every(EVERY_MS, 'sweep of expired sign-in attempts')
  async sweep(): Promise<void> {
    await this.work.background(asService('identity'), (tx) => this.loginSessionsRepository.sweep(tx));
  }
}
