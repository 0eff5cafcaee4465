import type { Caller } from '@gatehouse/contracts-core';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { EndpointCheck } from '../../../providers/configuration/settings/endpoint-check.ts';
import { LoginRefused } from '../attempts/login-refused.ts';
import type { ClaimedAttempt, LoginOwner } from '../attempts/login-sessions.repository.ts';
import { refusedAt, SsoLoginAttemptsService, type StartedLogin } from '../attempts/sso-login-attempts.service.ts';
import { CompleteSsoLogin, type LoginResult } from '../complete-sso-login.ts';
import { redirectUriAt } from './callback-path.ts';
import { OidcEngine, type VerifiedAnswer } from './oidc-engine.ts';

/** The browser's request to the callback. */
interface OidcCallback {
  readonly query: Readonly<Record<string, unknown>>;
  /** The value of the Cookie header. */
  readonly cookie: string | undefined;
  /** The value that identifies the browser. */
  readonly browser: string;
}

type CallbackQuery = Readonly<Record<string, unknown>>;

/**
 * Returns the code of a provider's answer; refuses an error, a repeated parameter and another issuer's answer. A
 * provider that advertises `iss` always sends it (RFC 9207 2.4).
 * @throws Error
 */
function codeIn({ code, error, iss }: CallbackQuery, { announcesIss, issuer }: ClaimedAttempt): string {
  if (typeof error === 'string') throw new Error(`the provider answered ${error.slice(0, 100)}`);
  const isMixedUp = iss === undefined ? announcesIss : iss !== issuer;
  if (error !== undefined || isMixedUp || typeof code !== 'string' || code === '')
    throw new Error('the answer cannot be used');
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
    const { id: providerId, partnerId, orgId } = login.provider;
    await this.endpointCheck.requireReachable(login.provider).catch((cause: unknown) => {
      throw new LoginRefused('sso_error', { providerId, partnerId, orgId, linkingUserId: null }, { cause });
    });
    return login;
  }
}
