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
import { ProviderChecks } from './settings/provider-checks.ts';
import { DefaultRolesRepository } from './settings/default-roles.repository.ts';
import { OwnersRepository } from './settings/owners.repository.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { ProviderTrustRepository } from './store/provider-trust.repository.ts';
import { GetProvider } from './get-provider.ts';
import { ListProviders } from './list-providers.ts';
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
    ProviderChecks,
    DefaultRolesRepository,
    OwnersRepository,
    ProviderTrust,
    ProviderTrustRepository,
    ListProviders,
    GetProvider,
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
