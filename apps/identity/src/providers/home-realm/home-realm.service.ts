import { API_PREFIX, asService, type Caller } from '@gatehouse/contracts-core';
import type {
  DiscoveredSsoRecord,
  LoginContextResponse,
  SsoCheckResponse,
  SsoDiscoveryResponse,
  SsoProtocol,
} from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { domainOf } from '@gatehouse/identity-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { IdentityConfig } from '../../identity.config.ts';
import { HomeRealmRepository } from './home-realm.repository.ts';

interface Entry {
  readonly type: SsoProtocol;
  readonly orgId: string | null;
  readonly partnerId: string;
}

/** Returns the address at which a browser starts to sign in through a provider. */
export const loginUrlOf = ({ type, orgId, partnerId }: Entry): string =>
  `${API_PREFIX}/sso/${type === 'saml' ? 'saml/' : ''}login/${orgId ?? `partner/${partnerId}`}`;

const NOTHING: LoginContextResponse = { branding: null, partnerSso: null };

/** Looked up instead of an address without a domain, so that both take the same time. */
const NO_DOMAIN = 'invalid.invalid';

@Injectable()
export class HomeRealmService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly homeRealmRepository: HomeRealmRepository,
    private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** `GET /auth/login-context`: shows a partner's branding only when it is the only partner (SSO-48). */
  async getLoginContext(caller: Caller): Promise<LoginContextResponse> {
    const page = this.config.isHosted
      ? null
      : await this.work.read(asService('identity', caller.origin), (reader) =>
          this.homeRealmRepository.loginPage(reader),
        );
    if (!page) return NOTHING;
    const { provider, hasBranding, logoUrl, accentColor, headline } = page;
    return {
      branding: hasBranding ? { logoUrl, accentColor, headline } : null,
      partnerSso: provider && {
        providerName: provider.name,
        loginUrl: loginUrlOf(provider),
        enforceSSO: provider.enforced,
      },
    };
  }

  /**
   * `GET /sso/check/:orgId`: the answer is the same for an unknown organisation and for one without single sign-on.
   */
  async checkOrgSso(caller: Caller, orgId: string): Promise<SsoCheckResponse> {
    const found = await this.work.read(asService('identity', caller.origin), (reader) =>
      this.homeRealmRepository.ofOrganization(reader, orgId),
    );
    if (!found) return { ssoEnabled: false };
    const { id, name, type, enforced } = found;
    return { ssoEnabled: true, provider: { id, name, type }, enforceSSO: enforced, loginUrl: loginUrlOf(found) };
  }

  /**
   * `POST /auth/sso-discovery` (SSO-40). Discovery does not enforce single sign-on, so an internal error yields an
   * empty answer.
   */
  async discoverSso(caller: Caller, email: string): Promise<SsoDiscoveryResponse> {
    return { sso: await this.find(caller, domainOf(email.trim()) ?? NO_DOMAIN) };
  }

  private async find(caller: Caller, domain: string): Promise<DiscoveredSsoRecord | null> {
    try {
      const found = await this.work.read(asService('identity', caller.origin), (reader) =>
        this.homeRealmRepository.ofDomain(reader, domain),
      );
      return found?.type === 'oidc' && found.enforced
        ? { providerName: found.name, loginUrl: loginUrlOf(found), enforceSSO: true }
        : null;
    } catch (error) {
      this.log.warn({ err: error }, 'home-realm discovery failed');
      return null;
    }
  }
}
