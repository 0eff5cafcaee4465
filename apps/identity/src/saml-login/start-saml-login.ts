import type { Caller } from '@gatehouse/contracts-core';
import { Injectable } from '@nestjs/common';
import type { LoginOwner } from '../sso-login/attempts/login-sessions.repository.ts';
import { StartSsoLogin } from '../sso-login/attempts/start-sso-login.ts';
import { SamlEngine } from './saml-engine.ts';

/** `GET /sso/saml/login/…`: begins an attempt of SAML. */
@Injectable()
export class StartSamlLogin {
  constructor(
    private readonly startSsoLogin: StartSsoLogin,
    private readonly samlEngine: SamlEngine,
  ) {}

  /** @returns the address of the provider, and the state that the browser's cookie binds */
  async execute(
    caller: Caller,
    { owner, redirect }: { owner: LoginOwner; redirect: unknown },
  ): Promise<{ location: string; state: string }> {
    const { provider, state, requestId } = await this.startSsoLogin.execute(caller, {
      owner,
      protocol: 'saml',
      redirect,
    });
    return { location: await this.samlEngine.loginUrl(provider, { requestId, relayState: state }), state };
  }
}
