import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport';
import type { StartedLogin } from '../attempts/sso-login-attempts.service.ts';
import { authorizationUrl } from './authorization-url.ts';

/** What the guard passes to passport with each request; passport itself keeps one strategy for all tenants. */
export interface OpenIdOptions {
  readonly login: StartedLogin;
  readonly callbackUrl: string;
}

/** What passport leaves in `request.user`. */
export interface ProviderRedirect {
  /** The address of the provider. */
  readonly location: string;
  /** The value that the browser's state cookie binds. */
  readonly state: string;
}

class OpenIdRedirect extends Strategy {
  override readonly name = 'openid';

  /** Ends with `success` and not with `redirect`, which writes to a Node response that Fastify does not have. */
  override authenticate(_request: object, { login, callbackUrl }: OpenIdOptions): void {
    authorizationUrl(login, callbackUrl).then(
      (location) => this.success({ location, state: login.state } satisfies ProviderRedirect),
      (error: unknown) => this.error(error),
    );
  }
}

/** Sends a browser to the OpenID Connect provider of the attempt that {@link OpenIdGuard} has begun (SSO-10). */
@Injectable()
export class OpenIdStrategy extends PassportStrategy(OpenIdRedirect, 'openid') {
  /**
   * Passport requires this method and does not call it: `CompleteSsoLogin` verifies the user when the browser returns.
   */
  validate(): null {
    return null;
  }
}
