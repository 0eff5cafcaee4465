import { Module } from '@nestjs/common';
import { AdministratorMailsModule } from './administrator-mails/administrator-mails.module.ts';
import { AdministratorsModule } from './administrators/administrators.module.ts';
import { ApiKeysModule } from './api-keys/api-keys.module.ts';
import { BootstrapModule } from './bootstrap/bootstrap.module.ts';
import { BrandingModule } from './branding/branding.module.ts';
import { DomainsModule } from './domains/domains.module.ts';
import { HomeRealmModule } from './home-realm/home-realm.module.ts';
import { HousekeepingModule } from './housekeeping/housekeeping.module.ts';
import { IntrospectionModule } from './introspection/introspection.module.ts';
import { InvitationsModule } from './invitations/invitations.module.ts';
import { LinkingModule } from './linking/linking.module.ts';
import { MfaModule } from './mfa/mfa.module.ts';
import { OpenInvitationsModule } from './open-invitations/open-invitations.module.ts';
import { OrganizationFiguresModule } from './organization-figures/organization-figures.module.ts';
import { OwnFactorsModule } from './own-factors/own-factors.module.ts';
import { OwnMembershipsModule } from './own-memberships/own-memberships.module.ts';
import { OwnSessionsModule } from './own-sessions/own-sessions.module.ts';
import { PasskeySignInModule } from './passkey-sign-in/passkey-sign-in.module.ts';
import { PasswordLoginModule } from './password-login/password-login.module.ts';
import { PasswordRecoveryModule } from './password-recovery/password-recovery.module.ts';
import { RequestMailsModule } from './request-mails/request-mails.module.ts';
import { RolesModule } from './roles/roles.module.ts';
import { SamlLoginModule } from './saml-login/saml-login.module.ts';
import { SsoLoginModule } from './sso-login/sso-login.module.ts';
import { SamlMetadataModule } from './saml-metadata/saml-metadata.module.ts';
import { ServiceProviderModule } from './service-provider/service-provider.module.ts';
import { SsoProvidersModule } from './sso-providers/sso-providers.module.ts';
import { TenantChangesModule } from './tenant-changes/tenant-changes.module.ts';
import { TokensModule } from './tokens/tokens.module.ts';
import { UserSecurityModule } from './user-security/user-security.module.ts';
import { UsersModule } from './users/users.module.ts';
import { WebauthnModule } from './webauthn/webauthn.module.ts';

@Module({
  imports: [
    TenantChangesModule,
    AdministratorMailsModule,
    RequestMailsModule,
    TokensModule,
    IntrospectionModule,
    PasswordLoginModule,
    OwnSessionsModule,
    OwnMembershipsModule,
    MfaModule,
    OwnFactorsModule,
    WebauthnModule,
    PasskeySignInModule,
    InvitationsModule,
    PasswordRecoveryModule,
    UsersModule,
    UserSecurityModule,
    AdministratorsModule,
    RolesModule,
    ApiKeysModule,
    SsoProvidersModule,
    SsoLoginModule,
    SamlLoginModule,
    SamlMetadataModule,
    ServiceProviderModule,
    LinkingModule,
    HomeRealmModule,
    DomainsModule,
    BrandingModule,
    BootstrapModule,
    HousekeepingModule,
    OpenInvitationsModule,
    OrganizationFiguresModule,
  ],
})
export class AppModule {}
