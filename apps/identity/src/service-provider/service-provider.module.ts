import { Module } from '@nestjs/common';
import { SamlLoginModule } from '../saml-login/saml-login.module.ts';
import { GetServiceProvider } from './get-service-provider.ts';
import { ServiceProviderController } from './service-provider.controller.ts';

@Module({
  imports: [SamlLoginModule],
  controllers: [ServiceProviderController],
  providers: [GetServiceProvider],
})
export class ServiceProviderModule {}
