import { Egress } from '@gatehouse/egress';
import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { PreviewEnforcement } from './preview-enforcement.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CreateProvider } from './create-provider.ts';
import { DefaultRoleCheck } from './settings/default-role-check.ts';
import { DeleteProvider } from './delete-provider.ts';
import { EndpointCheck } from './settings/endpoint-check.ts';
import { IdentityEgress } from './settings/identity-egress.ts';
import { OidcDiscovery } from './settings/oidc-discovery.ts';
import { ProviderOwner } from './settings/provider-owner.ts';
import { ProviderRules } from './settings/provider-rules.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { ProviderTrustRepository } from './store/provider-trust.repository.ts';
import { ReadProviders } from './read-providers.ts';
import { SetProviderStatus } from './set-provider-status.ts';
import {
  SsoPresetsController,
  SsoProviderActionsController,
  SsoProvidersController,
} from './sso-providers.controller.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';
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
