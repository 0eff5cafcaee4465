import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { SsoProtocol } from '@gatehouse/contracts-identity';
import { type Reader, shownOnce, UnitOfWork } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { COMPLETE_PATH, SamlEngine } from '../saml/saml-engine.ts';
import { SsoLoginAttemptsService, type StartedLogin } from '../login/attempts/sso-login-attempts.service.ts';
import { authorizationUrl, CALLBACK_PATH, redirectUriAt } from '../login/oidc/authorization-url.ts';
import { OwnLinksRepository } from './own-links.repository.ts';

export interface StartedLinking {
  /** The address of the provider. */
  readonly authUrl: string;
  readonly state: string;
  /** The path to which the browser sends the state cookie. */
  readonly callbackPath: string;
}

/** The provider's address to which a round trip sends the browser. */
export function addressOf(login: StartedLogin, samlEngine: SamlEngine, baseUrl: string): Promise<string> {
  const { provider, requestId, state } = login;
  return provider.type === 'saml'
    ? samlEngine.loginUrl(provider, { requestId, relayState: state })
    : authorizationUrl(login, redirectUriAt(baseUrl));
}

/** `POST /sso/link/start/:providerId`: begins a round trip that ends in an identity link instead of a session. */
@Injectable()
export class StartLinking {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ownLinksRepository: OwnLinksRepository,
    private readonly ssoLoginAttempts: SsoLoginAttemptsService,
    private readonly samlEngine: SamlEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async start(caller: UserCaller, providerId: string): Promise<StartedLinking> {
    await this.ssoLoginAttempts.requireFewStarts(caller);
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const protocol = await this.requireLinkable(tx, caller, providerId);
        const login = await this.ssoLoginAttempts.begin(tx, {
          owner: { providerId },
          protocol,
          redirect: '/settings/profile',
          linking: caller,
        });
        const callbackPath = protocol === 'saml' ? COMPLETE_PATH : CALLBACK_PATH;
        return { authUrl: await addressOf(login, this.samlEngine, this.baseUrl), state: login.state, callbackPath };
      },
      shownOnce(() => providerId),
    );
  }

  /**
   * A link asserts that the user proved the account, so neither a second factor that the same provider asserts counts,
   * nor one that was enrolled in the session which a provider opened.
   */
  private async requireLinkable(reader: Reader, caller: UserCaller, providerId: string): Promise<SsoProtocol> {
    const options = await this.ownLinksRepository.options(reader, caller);
    const option = options.find((one) => one.providerId === providerId);
    if (!option) throw new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');
    const { ownLinksRepository: links } = this;
    if ((await links.hasMfaByProvider(reader, caller, providerId)) || (await links.lacksOwnFactor(reader, caller)))
      throw new ProblemError(
        'mfa_required',
        'Confirm your own second factor first; a provider’s, or one set up in this session, does not count here.',
      );
    return option.type;
  }
}
