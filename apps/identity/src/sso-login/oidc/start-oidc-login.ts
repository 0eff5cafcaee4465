import type { Caller } from '@gatehouse/contracts-core';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { EndpointCheck } from '../../sso-providers/settings/endpoint-check.ts';
import { LoginRefused } from '../attempts/login-refused.ts';
import type { LoginOwner } from '../attempts/login-sessions.repository.ts';
import { StartSsoLogin } from '../attempts/start-sso-login.ts';
import { authorizationUrl } from './authorization-url.ts';
import { redirectUriAt } from './callback-path.ts';

/** `GET /sso/login/…`: begins an attempt of OpenID Connect. */
@Injectable()
export class StartOidcLogin {
  constructor(
    private readonly startSsoLogin: StartSsoLogin,
    private readonly endpointCheck: EndpointCheck,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * @returns the address of the provider, and the state that the browser's cookie binds
   * @throws LoginRefused sso_error when an endpoint of the provider may not be called (any more)
   */
  async execute(
    caller: Caller,
    { owner, redirect }: { owner: LoginOwner; redirect: unknown },
  ): Promise<{ location: string; state: string }> {
    const login = await this.startSsoLogin.execute(caller, { owner, protocol: 'oidc', redirect });
    const { id: providerId, partnerId, orgId } = login.provider;
    await this.endpointCheck.requireReachable(login.provider).catch((cause: unknown) => {
      throw new LoginRefused('sso_error', { providerId, partnerId, orgId, linkingUserId: null }, { cause });
    });
    return { location: await authorizationUrl(login, redirectUriAt(this.baseUrl)), state: login.state };
  }
}
