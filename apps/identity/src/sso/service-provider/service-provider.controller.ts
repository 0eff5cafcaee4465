import { Requires } from '@gatehouse/auth';
import { ServiceProviderResponse } from '@gatehouse/contracts-identity';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { GetServiceProvider } from './get-service-provider.ts';

@ApiTags('sso providers')
@Controller('sso/service-provider')
export class ServiceProviderController {
  constructor(private readonly getServiceProvider: GetServiceProvider) {}

  /** Reads the addresses and names of this product that an identity provider must be told. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ServiceProviderResponse })
  read(): ServiceProviderResponse {
    return this.getServiceProvider.get();
  }
}
