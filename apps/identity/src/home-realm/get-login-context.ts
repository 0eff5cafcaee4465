import { asService, type Caller } from '@gatehouse/contracts-core';
import type { LoginContextResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.ts';
import { HomeRealmRepository } from './home-realm.repository.ts';
import { loginUrlOf } from './login-url.ts';

const NOTHING: LoginContextResponse = { branding: null, partnerSso: null };

/** `GET /auth/login-context`: shows a partner's branding only when it is the only partner (SSO-48). */
@Injectable()
export class GetLoginContext {
  constructor(
    private readonly work: UnitOfWork,
    private readonly homeRealmRepository: HomeRealmRepository,
    private readonly config: IdentityConfig,
  ) {}

  async execute(caller: Caller): Promise<LoginContextResponse> {
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
}
