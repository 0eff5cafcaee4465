import { Egress } from '@gatehouse/egress';
import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { PreviewEnforcement } from '../enforcement/preview-enforcement.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CreateProvider } from './create-provider.ts';
import { DefaultRoleCheck } from './default-role-check.ts';
import { DeleteProvider } from './delete-provider.ts';
import { EndpointCheck } from './endpoint-check.ts';
import { IdentityEgress } from './identity-egress.ts';
import { OidcDiscovery } from './oidc-discovery.ts';
import { ProviderOwner } from './provider-owner.ts';
import { ProviderRules } from './provider-rules.ts';
import { ProviderTrust } from './provider-trust.ts';
import { ProviderTrustRepository } from './provider-trust.repository.ts';
import { ReadProviders } from './read-providers.ts';
import { SetProviderStatus } from './set-provider-status.ts';
import {
  SsoPresetsController,
  SsoProviderActionsController,
  SsoProvidersController,
} from './sso-providers.controller.ts';
import { SsoProvidersRepository } from './sso-providers.repository.ts';
import { TestProvider } from './test-provider.ts';
import { UpdateProvider } from './update-provider.ts';

@Module({
  imports: [SessionsModule, EnforcementModule],
  controllers: [SsoPresetsController, SsoProvidersController, SsoProviderActionsController],
  providers: [
    { provide: Egress, useClass: IdentityEgress },
    SsoProvidersRepository,
    ProviderOwner,
    DefaultRoleCheck,
    EndpointCheck,
    OidcDiscovery,
    ProviderRules,
    ProviderTrust,
    ProviderTrustRepository,
    ReadProviders,
    CreateProvider,
    UpdateProvider,
    DeleteProvider,
    SetProviderStatus,
    TestProvider,
    PreviewEnforcement,
  ],
  exports: [Egress, SsoProvidersRepository, ProviderOwner, ProviderTrustRepository, EndpointCheck],
})
export class SsoProvidersModule {}
