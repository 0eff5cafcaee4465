import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import { BASE_URL } from '@gatehouse/service';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { isUUID } from 'class-validator';
import { SamlEngine } from '../saml-login/saml-engine.ts';
import { type OidcRequest, redirectUriAt } from '../sso-login/oidc.guards.ts';
import { StartSsoLogin } from '../sso-login/attempts/start-sso-login.ts';
import { OwnLinks } from './own-links.ts';

/**
 * Begins a round trip that ends in an identity link instead of a session. The access guard has authenticated the user.
 */
@Injectable()
export class LinkStartGuard extends AuthGuard('oidc') {
  constructor(
    private readonly links: OwnLinks,
    private readonly start: StartSsoLogin,
    private readonly saml: SamlEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request: OidcRequest & { caller: UserCaller } = context.switchToHttp().getRequest();
    const { providerId: asked } = request.params as { providerId: string };
    if (!isUUID(asked)) throw invalid('providerId', 'must be a UUID');
    const providerId = asked.toLowerCase();
    const { type: protocol } = await this.links.option(request.caller, providerId);
    await this.links.requireOwnProof(request.caller, providerId);
    const login = await this.start.execute(request.caller, {
      owner: { providerId },
      protocol,
      redirect: '/settings/profile',
      linkingUserId: request.caller.userId,
    });
    request.oidcRound = { kind: 'start', login, redirectUri: redirectUriAt(this.baseUrl) };
    if (protocol === 'oidc') return (await super.canActivate(context)) as boolean;
    request.user = {
      location: await this.saml.loginUrl(login.provider, { requestId: login.requestId, relayState: login.state }),
    };
    return true;
  }
}
