import { asService, type Caller } from '@gatehouse/contracts-core';
import type { DiscoveredSsoRecord, SsoDiscoveryResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { domainOf } from '@gatehouse/identity-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { HomeRealmRepository } from './home-realm.repository.ts';
import { loginUrlOf } from './login-url.ts';

/** Looked up instead of an address without a domain, so that both take the same time. */
const NO_DOMAIN = 'invalid.invalid';

/**
 * `POST /auth/sso-discovery` (SSO-40). Discovery does not enforce single sign-on, so an internal error yields an empty
 * answer.
 */
@Injectable()
export class DiscoverSso {
  constructor(
    private readonly work: UnitOfWork,
    private readonly homeRealmRepository: HomeRealmRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async execute(caller: Caller, email: string): Promise<SsoDiscoveryResponse> {
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
