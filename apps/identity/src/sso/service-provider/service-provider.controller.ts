import { Requires } from '@gatehouse/auth';
import { ServiceProviderResponse } from '@gatehouse/contracts-identity';
import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { BASE_URL } from '@gatehouse/service';
import { METADATA_PATH, SamlEngine } from '../saml/saml-engine.ts';
import { redirectUriAt } from '../login/oidc/authorization-url.ts';

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

@ApiTags('sso providers')
@Controller('sso/service-provider')
export class ServiceProviderController {
  constructor(private readonly getServiceProvider: GetServiceProvider) {}

  /** Reads the addresses and names of this product that an identity provider requires. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ServiceProviderResponse })
  read(): ServiceProviderResponse {
    return this.getServiceProvider.get();
  }
}
