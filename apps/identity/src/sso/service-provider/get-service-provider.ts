import type { ServiceProviderResponse } from '@gatehouse/contracts-identity';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { SamlEngine } from '../saml/saml-engine.ts';
import { METADATA_PATH } from '../saml/saml-paths.ts';
import { redirectUriAt } from '../login/oidc/callback-path.ts';

/** GET /sso/service-provider: our own values, which an administrator copies into the identity provider. */
@Injectable()
export class GetServiceProvider {
  constructor(
    private readonly samlEngine: SamlEngine,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  get(): ServiceProviderResponse {
    const { entityId, acsUrl } = this.samlEngine;
    const data = {
      callbackUrl: redirectUriAt(this.baseUrl),
      acsUrl,
      entityId,
      metadataUrl: `${this.baseUrl}${METADATA_PATH}`,
    };
    return { data };
  }
}
