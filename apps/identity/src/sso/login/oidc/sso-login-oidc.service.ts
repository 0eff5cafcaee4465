import type { Caller } from '@gatehouse/contracts-core';
import { StepFailure } from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { EndpointCheck } from '../../../providers/configuration/settings/endpoint-check.ts';
import { LoginRefused } from '../attempts/login-refused.ts';
import type { ClaimedAttempt, LoginOwner } from '../attempts/login-sessions.repository.ts';
import { refusedAt, SsoLoginAttemptsService, type StartedLogin } from '../attempts/sso-login-attempts.service.ts';
import { CompleteSsoLogin, type LoginResult } from '../complete-sso-login.ts';
import { OidcEngine, type VerifiedAnswer } from './oidc-engine.ts';
import { redirectUriAt } from './authorization-url.ts';

/** The browser's request to the callback. */
interface OidcCallback {
  readonly query: Readonly<Record<string, unknown>>;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  /** The value that identifies the browser. */
  readonly browser: string;
}

type CallbackQuery = Readonly<Record<string, unknown>>;
const MAX_DESCRIPTION = 300;

/**
 * Returns the code of a provider's answer; refuses an error, a repeated parameter and another issuer's answer. A
 * provider that advertises `iss` always sends it (RFC 9207 2.4).
 * @throws StepFailure
 */
function codeIn(
  { code, error, error_description: said, iss }: CallbackQuery,
  { announcesIss, issuer }: ClaimedAttempt,
): string {
  if (typeof error === 'string') {
    const description = typeof said === 'string' ? `: ${said.slice(0, MAX_DESCRIPTION)}` : '';
    throw new StepFailure('callback', 'provider_error', `the provider answered ${error.slice(0, 100)}${description}`);
  }
  const isMixedUp = iss === undefined ? announcesIss : iss !== issuer;
  if (isMixedUp) throw new StepFailure('callback', 'issuer_mismatch', 'the answer names another issuer, or none');
  if (error !== undefined || typeof code !== 'string' || code === '')
    throw new StepFailure('callback', 'answer_invalid', 'the answer has no code that can be used');
  return code;
}

@Injectable()
export class SsoLoginOidcService {
  constructor(
    private readonly ssoLoginAttempts: SsoLoginAttemptsService,
    private readonly completeSsoLogin: CompleteSsoLogin,
    private readonly oidcEngine: OidcEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
    private readonly endpointCheck: EndpointCheck,
  ) {}

  /**
   * `GET /sso/callback`: claims the attempt by state and cookie, and redeems the code.
   * @throws LoginRefused
   */
  completeOidcLogin(caller: Caller, { query, cookie, browser }: OidcCallback): Promise<LoginResult> {
    return this.completeSsoLogin.complete(caller, {
      claim: () => this.ssoLoginAttempts.claim(caller, { state: query['state'], cookie }),
      redeem: (attempt) => this.redeemCode(attempt, query),
      browser,
    });
  }

  /**
   * Checks the parameters of a provider's answer and redeems its code.
   * @throws LoginRefused sso_error
   */
  async redeemCode(attempt: ClaimedAttempt, query: CallbackQuery): Promise<VerifiedAnswer> {
    const { codeVerifier, nonce } = attempt;
    try {
      const code = codeIn(query, attempt);
      const redirectUri = redirectUriAt(this.baseUrl);
      return await this.oidcEngine.redeem(attempt, { code, redirectUri, codeVerifier, nonce });
    } catch (cause) {
      throw new LoginRefused('sso_error', refusedAt(attempt), { cause });
    }
  }

  /**
   * `GET /sso/login/…`: begins an attempt of OpenID Connect.
   * @throws LoginRefused sso_error when an endpoint of the provider may not be called (any more)
   */
  async startOidcLogin(
    caller: Caller,
    { owner, redirect }: { owner: LoginOwner; redirect: unknown },
  ): Promise<StartedLogin> {
    const login = await this.ssoLoginAttempts.startSsoLogin(caller, { owner, protocol: 'oidc', redirect });
    const { provider } = login;
    await this.endpointCheck.requireReachable(provider).catch((error: unknown) => {
      const cause = new StepFailure('start', 'endpoint_refused', 'an address of the provider may not be called', {
        cause: error,
      });
      throw new LoginRefused('sso_error', { provider, linkingUserId: null }, { cause });
    });
    return login;
  }
}
