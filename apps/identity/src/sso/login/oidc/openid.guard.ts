import type { Caller } from '@gatehouse/contracts-core';
import { BASE_URL } from '@gatehouse/service';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { OpenIdOptions, ProviderRedirect } from './openid.strategy.ts';
import { SsoLoginOidcService } from './sso-login-oidc.service.ts';
import { redirectUriAt } from './authorization-url.ts';
import { ownerIn } from '../attempts/sso-login-attempts.service.ts';

export interface OpenIdRequest {
  readonly caller: Caller;
  readonly params: { readonly orgId?: string; readonly partnerId?: string };
  readonly query: Readonly<Record<string, unknown>>;
  /** Set by passport. */
  readonly user?: ProviderRedirect;
}

/** `GET /sso/login/…`: the operation begins the attempt, and passport builds the provider's address from it. */
@Injectable()
export class OpenIdGuard extends AuthGuard('openid') {
  constructor(
    private readonly ssoLoginOidc: SsoLoginOidcService,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {
    super();
  }

  /** @throws LoginRefused, ProblemError sso_provider_not_found, sso_provider_incomplete, sso_protocol_mismatch */
  override async getAuthenticateOptions(context: ExecutionContext): Promise<OpenIdOptions> {
    const { caller, params, query } = context.switchToHttp().getRequest<OpenIdRequest>();
    const login = await this.ssoLoginOidc.startOidcLogin(caller, {
      owner: ownerIn(params),
      redirect: query['redirect'],
    });
    return { login, callbackUrl: redirectUriAt(this.baseUrl) };
  }
}
