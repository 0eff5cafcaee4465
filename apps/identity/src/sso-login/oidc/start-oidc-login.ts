import type { Caller } from '@gatehouse/contracts-core';
import { Injectable } from '@nestjs/common';
import { EndpointCheck } from '../../sso-providers/settings/endpoint-check.ts';
import { LoginRefused } from '../attempts/login-refused.ts';
import type { LoginOwner } from '../attempts/login-sessions.repository.ts';
import { type StartedLogin, StartSsoLogin } from '../attempts/start-sso-login.ts';

/** `GET /sso/login/…`: begins an attempt of OpenID Connect. */
@Injectable()
export class StartOidcLogin {
  constructor(
    private readonly startSsoLogin: StartSsoLogin,
    private readonly endpointCheck: EndpointCheck,
  ) {}

  /**
   * @throws ProblemError sso_provider_not_found, sso_provider_incomplete, sso_protocol_mismatch
   * @throws LoginRefused sso_error when an endpoint of the provider may not be called (any more)
   */
  async execute(caller: Caller, { owner, redirect }: { owner: LoginOwner; redirect: unknown }): Promise<StartedLogin> {
    const login = await this.startSsoLogin.execute(caller, { owner, protocol: 'oidc', redirect });
    const { id: providerId, partnerId, orgId } = login.provider;
    await this.endpointCheck.requireReachable(login.provider).catch((cause: unknown) => {
      throw new LoginRefused('sso_error', { providerId, partnerId, orgId, linkingUserId: null }, { cause });
    });
    return login;
  }
}
