import { SETUP_AUTHENTICATOR } from '@gatehouse/auth';
import { Egress } from '@gatehouse/egress';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Global, Module } from '@nestjs/common';
import { AddressesRepository, AdministratorsRepository, TenantNamesRepository } from './mail/recipients.repository.ts';
import { MailFreeze, MailReenrolment } from './users/administrators/administrator-mails.ts';
import { ProviderAlerts } from './mail/provider-alerts.ts';
import { ExpiriesRepository } from './providers/watch/expiries.repository.ts';
import { ExpiriesService, RenewalLinks } from './providers/watch/expiries.service.ts';
import { MetadataChangesRepository } from './providers/watch/metadata-changes.repository.ts';
import { MetadataChangesService } from './providers/watch/metadata-changes.service.ts';
import { MetadataWatch } from './providers/watch/metadata-watch.ts';
import { WatchController } from './providers/watch/watch.controller.ts';
import { AdministratorsController, TechniciansController } from './users/administrators/operator.controller.ts';
import { AdministratorsService } from './users/administrators/administrators.service.ts';
import { ApiKeysService } from './api-keys/api-keys.service.ts';
import { BrandingService } from './tenants/branding/branding.service.ts';
import { DomainsService } from './providers/domains/domains.service.ts';
import { HomeRealmService } from './providers/home-realm/home-realm.service.ts';
import { IntrospectionService, ReplyWithPrincipal } from './sessions/introspection/introspection.service.ts';
import { InvitationsService } from './invitations/invitations.service.ts';
import { LinkingService } from './sso/linking/linking.service.ts';
import { MembershipsService } from './people/memberships/memberships.service.ts';
import { MfaChallenges, MfaService } from './sign-in/mfa/mfa.service.ts';
import { OpenInvitationsService } from './invitations/open-invitations/open-invitations.service.ts';
import { ChangeOfFactors, OwnFactorsService } from './sign-in/own-factors/own-factors.service.ts';
import { OwnMembershipsService } from './users/own-memberships/own-memberships.service.ts';
import { OwnSessionsService } from './sign-in/own-sessions/own-sessions.service.ts';
import { PasskeySignInService } from './sign-in/methods/passkey-sign-in.service.ts';
import { PasswordAttempts, PasswordLoginService } from './sign-in/methods/password-login.service.ts';
import { PasswordFacts, PasswordRecoveryService } from './sign-in/recovery/password-recovery.service.ts';
import { RolesService } from './people/roles/roles.service.ts';
import { SamlLoginService } from './sso/saml/saml-login.service.ts';
import { SamlMetadataService } from './providers/saml-metadata/saml-metadata.service.ts';
import { SessionsService } from './sessions/sessions.service.ts';
import { SignInService } from './sign-in/sign-in.service.ts';
import { SsoLoginAccountsService } from './sso/login/accounts/sso-login-accounts.service.ts';
import { SsoLoginAttemptsService, SweepOneTimeValues } from './sso/login/attempts/sso-login-attempts.service.ts';
import { SsoLoginOidcService } from './sso/login/oidc/sso-login-oidc.service.ts';
import { SsoLoginService } from './sso/login/sso-login.service.ts';
import { SsoProvidersService } from './providers/configuration/sso-providers.service.ts';
import { TechnicianFeed, TechniciansService } from './sessions/technicians/technicians.service.ts';
import { UserSecurityService } from './people/user-security/user-security.service.ts';
import { UsersService } from './users/users/users.service.ts';
import { WebauthnService } from './sign-in/webauthn/webauthn.service.ts';
import { ApiKeysController } from './api-keys/api-keys.controller.ts';
import { ApiKeysRepository } from './api-keys/api-keys.repository.ts';
import { BootstrapAdmin, CreateAdministrator } from './housekeeping/bootstrap/bootstrap-admin.ts';
import { BootstrapRepository, HousekeepingRepository } from './housekeeping/housekeeping.repository.ts';
import { BrandingController } from './tenants/branding/branding.controller.ts';
import { LoginBrandingRepository } from './tenants/branding/login-branding.repository.ts';
import { AddressSpellingsController } from './providers/domains/address-spellings.ts';
import { DomainProof } from './providers/domains/domain-proof.ts';
import { DomainsController } from './providers/domains/domains.controller.ts';
import { DomainsRepository } from './providers/domains/domains.repository.ts';
import { RecheckDomains } from './providers/domains/recheck-domains.ts';
import { EnforcementRepository } from './providers/enforcement/enforcement.repository.ts';
import { EnforcementService } from './providers/configuration/enforcement.service.ts';
import { Enforcement } from './providers/enforcement/enforcement.ts';
import { FactorsRepository } from './people/factors.repository.ts';
import { SecondFactors } from './people/second-factors.ts';
import { AttemptsController } from './providers/attempt-log/attempts.controller.ts';
import { AttemptsRepository } from './providers/attempt-log/attempts.repository.ts';
import { AttemptsService } from './providers/attempt-log/attempts.service.ts';
import { TestSignInsController } from './sso/test-sign-ins/test-sign-ins.controller.ts';
import { TestSignIns } from './sso/test-sign-ins/test-sign-ins.service.ts';
import { HomeRealmController } from './providers/home-realm/home-realm.controller.ts';
import { HomeRealmRepository } from './providers/home-realm/home-realm.repository.ts';
import { DeleteUnattachedUsers } from './housekeeping/housekeeping.ts';
import { SweepExpired } from './housekeeping/housekeeping.ts';
import { IntrospectionController } from './sessions/introspection/introspection.controller.ts';
import { IntrospectionRepository } from './sessions/introspection/introspection.repository.ts';
import { ChangeInvitation } from './invitations/change-invitation.ts';
import { InvitationsController } from './invitations/invitations.controller.ts';
import { InvitedPassword } from './invitations/invited-password.ts';
import { AccountProof } from './sso/linking/account-proof.ts';
import { ConfirmParkedLink } from './sso/linking/confirm-parked-link.ts';
import { LinkingController } from './sso/linking/linking.controller.ts';
import { OwnLinksRepository } from './sso/linking/own-links.repository.ts';
import { StartLinking } from './sso/linking/start-linking.ts';
import { DeliverMail } from './mail/deliver-mail.ts';
import { MailOutboxRepository } from './mail/mail-outbox.repository.ts';
import { MailTransport } from './mail/mail-transport.ts';
import { Mailer } from './mail/mailer.ts';
import { BreakGlassRepository, MembershipsRepository } from './people/memberships/memberships.repository.ts';
import { MembershipGrants } from './people/memberships/membership-grants.ts';
import { MfaController } from './sign-in/mfa/mfa.controller.ts';
import { AcceptedOffersRepository } from './people/offers/accepted-offers.repository.ts';
import { InvitationMailsRepository } from './people/offers/invitation-mails.repository.ts';
import { OffersRepository } from './people/offers/offers.repository.ts';
import { WithdrawDeadOffers } from './people/offers/withdraw-dead-offers.ts';
import { UserInvitationsController } from './invitations/open-invitations/user-invitations.controller.ts';
import { CountPeople } from './tenants/organization-figures/count-people.ts';
import { OrganizationFiguresRepository } from './tenants/organization-figures/organization-figures.repository.ts';
import { OwnFactorsController } from './sign-in/own-factors/own-factors.controller.ts';
import { OwnMembershipsController } from './users/own-memberships/own-memberships.controller.ts';
import { OwnSessionsController, SessionListController } from './sign-in/own-sessions/own-sessions.controller.ts';
import { PasskeySignInController, PasswordLoginController } from './sign-in/methods/sign-in.controller.ts';
import { PasswordRecoveryController } from './sign-in/recovery/password-recovery.controller.ts';
import { CredentialsRepository, ResetLinksRepository } from './people/passwords/credentials.repository.ts';
import { Passwords } from './people/passwords/passwords.ts';
import { AccountsRepository } from './people/accounts.repository.ts';
import { TechniciansRepository } from './sessions/technicians/technicians.repository.ts';
import { UsersRepository } from './people/users.repository.ts';
import { MailAboutRequests } from './mail/request-mails/request-mails.ts';
import { RolesController } from './people/roles/roles.controller.ts';
import { RolesRepository } from './people/roles/roles.repository.ts';
import { SamlChecks } from './sso/saml/saml-checks.ts';
import { SamlEngine } from './sso/saml/saml-engine.ts';
import { SamlReturnController, SamlStartController } from './sso/saml/saml-login.controller.ts';
import { SamlResultsRepository } from './sso/saml/saml-results.repository.ts';
import { SamlSubjects } from './sso/saml/saml-subjects.ts';
import { SamlMetadataController } from './providers/saml-metadata/saml-metadata.controller.ts';
import { GetServiceProvider, ServiceProviderController } from './sso/service-provider/service-provider.controller.ts';
import { CookieSignIn } from './sessions/session-cookie/cookie-sign-in.ts';
import { SessionCookie } from './sessions/session-cookie/session-cookie.ts';
import { OpenSession } from './sessions/open-session.ts';
import { RefreshTokensRepository } from './sessions/refresh-tokens.repository.ts';
import { RevokeSessions } from './sessions/revoke-sessions.ts';
import { SessionRecordsRepository } from './sessions/session-records.repository.ts';
import { SessionsRepository } from './sessions/sessions.repository.ts';
import { CompleteSignIn } from './sign-in/complete-sign-in.ts';
import { MfaChallengesRepository } from './sign-in/mfa-challenges.repository.ts';
import { AccountFactsRepository } from './sso/login/accounts/account-facts.repository.ts';
import { IdentityLinksRepository, LinkedSubjectsRepository } from './sso/login/accounts/identity-links.repository.ts';
import { LinkFactsRepository } from './sso/login/accounts/link-facts.repository.ts';
import { NewcomersRepository } from './sso/login/accounts/newcomers.repository.ts';
import { ParkedLinksRepository } from './sso/login/accounts/parked-links.repository.ts';
import { LoginSessionsRepository } from './sso/login/attempts/login-sessions.repository.ts';
import { LoginRefusedFilter } from './sso/login/browser/login-refused.filter.ts';
import { ReturnToApp } from './sso/login/browser/return-to-app.ts';
import { StateCookies } from './sso/login/browser/state-cookies.ts';
import { CompleteTestSignIn } from './sso/login/complete-test-sign-in.ts';
import { CompleteSsoLogin } from './sso/login/complete-sso-login.ts';
import { ExchangeCodesRepository } from './sso/login/exchange-codes.repository.ts';
import { OidcEngine } from './sso/login/oidc/oidc-engine.ts';
import { OpenIdGuard } from './sso/login/oidc/openid.guard.ts';
import { OpenIdStrategy } from './sso/login/oidc/openid.strategy.ts';
import { SsoExchangeController } from './sso/login/sso-exchange.controller.ts';
import { SsoLoginController } from './sso/login/sso-login.controller.ts';
import { CreateProvider } from './providers/configuration/create-provider.ts';
import { ListProviders } from './providers/configuration/list-providers.ts';
import { DefaultRoleCheck } from './providers/configuration/settings/default-role-check.ts';
import { EndpointCheck, IdentityEgress } from './providers/configuration/settings/endpoint-check.ts';
import { OidcDiscovery } from './providers/configuration/settings/oidc-discovery.ts';
import {
  DefaultRolesRepository,
  OwnersRepository,
  ProviderTrustRepository,
} from './providers/configuration/store/provider-trust.repository.ts';
import { ProviderChecks } from './providers/configuration/settings/provider-checks.ts';
import { ProviderOwner } from './providers/configuration/settings/provider-owner.ts';
import { ProviderTrust } from './providers/configuration/settings/provider-trust.ts';
import {
  SsoPresetsController,
  SsoProviderActionsController,
  SsoProvidersController,
} from './providers/configuration/sso-providers.controller.ts';
import { SetupController, SetupLinksController } from './sso/setup-links/setup-links.controller.ts';
import { SetupLinksRepository } from './providers/setup-links.repository.ts';
import { SetupLinksService } from './sso/setup-links/setup-links.service.ts';
import { SetupService } from './sso/setup-links/setup.service.ts';
import { SetupVisitsService } from './sso/setup-links/setup-visits.service.ts';
import { SsoProvidersRepository } from './providers/configuration/store/sso-providers.repository.ts';
import { UpdateProvider } from './providers/configuration/update-provider.ts';
import { identityTenantData } from './housekeeping/tenant-changes/identity-tenant-data.ts';
import { ProjectTenantRefs } from './housekeeping/tenant-changes/project-tenant-refs.ts';
import { TenantRefsRepository } from './tenants/tenant-refs/tenant-refs.repository.ts';
import { AccessTokens } from './sessions/tokens/access-tokens.ts';
import { JwksController } from './sessions/tokens/jwks.controller.ts';
import { SignOfflineRules } from './sessions/tokens/sign-offline-rules.ts';
import { SigningKeyRotation } from './sessions/tokens/signing-key-rotation.ts';
import { SigningKeysRepository } from './sessions/tokens/signing-keys.repository.ts';
import { SigningKeys } from './sessions/tokens/signing-keys.ts';
import { UserSecurityController } from './people/user-security/user-security.controller.ts';
import { UsersController } from './users/users/users.controller.ts';
import { PasskeysRepository } from './sign-in/webauthn/passkeys.repository.ts';
import { RelyingParty } from './sign-in/webauthn/relying-party.ts';
import { WebauthnController } from './sign-in/webauthn/webauthn.controller.ts';

const mail = {
  providers: [
    MailFreeze,
    MailReenrolment,
    ProviderAlerts,
    AdministratorsRepository,
    MailOutboxRepository,
    Mailer,
    DeliverMail,
    MailTransport,
    TenantNamesRepository,
    MailAboutRequests,
    AddressesRepository,
  ],
};

const people = {
  controllers: [
    AdministratorsController,
    OwnMembershipsController,
    RolesController,
    TechniciansController,
    UserSecurityController,
    UsersController,
  ],
  providers: [
    AdministratorsService,
    MembershipsRepository,
    BreakGlassRepository,
    MembershipsService,
    MembershipGrants,
    OwnMembershipsService,
    AccountsRepository,
    UsersRepository,
    RolesRepository,
    RolesService,
    TechniciansRepository,
    TechnicianFeed,
    TechniciansService,
    UserSecurityService,
    UsersService,
  ],
};

const apiKeys = { controllers: [ApiKeysController], providers: [ApiKeysRepository, ApiKeysService] };

const housekeeping = {
  providers: [
    BootstrapRepository,
    CreateAdministrator,
    BootstrapAdmin,
    HousekeepingRepository,
    SweepExpired,
    DeleteUnattachedUsers,
  ],
};

const tenants = {
  controllers: [BrandingController],
  providers: [
    BrandingService,
    LoginBrandingRepository,
    CountPeople,
    OrganizationFiguresRepository,
    ProjectTenantRefs,
    TenantRefsRepository,
  ],
};

const providers = {
  controllers: [
    DomainsController,
    AddressSpellingsController,
    SamlMetadataController,
    SetupController,
    SetupLinksController,
    SsoPresetsController,
    SsoProvidersController,
    SsoProviderActionsController,
    WatchController,
  ],
  providers: [
    ExpiriesRepository,
    ExpiriesService,
    MetadataChangesRepository,
    MetadataChangesService,
    MetadataWatch,
    DomainsRepository,
    DomainProof,
    DomainsService,
    RecheckDomains,
    Enforcement,
    EnforcementService,
    EnforcementRepository,
    SamlMetadataService,
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
    SsoProvidersService,
    CreateProvider,
    UpdateProvider,
    SetupLinksRepository,
    SetupLinksService,
    { provide: RenewalLinks, useExisting: SetupLinksService },
    SetupService,
    SetupVisitsService,
    { provide: SETUP_AUTHENTICATOR, useExisting: SetupVisitsService },
  ],
};

const factors = {
  controllers: [MfaController, OwnFactorsController, WebauthnController],
  providers: [
    FactorsRepository,
    SecondFactors,
    MfaChallenges,
    MfaService,
    ChangeOfFactors,
    OwnFactorsService,
    RelyingParty,
    PasskeysRepository,
    WebauthnService,
  ],
};

const sso = {
  controllers: [
    AttemptsController,
    HomeRealmController,
    LinkingController,
    SamlStartController,
    SamlReturnController,
    ServiceProviderController,
    SsoLoginController,
    SsoExchangeController,
    TestSignInsController,
  ],
  providers: [
    AttemptsRepository,
    AttemptsService,
    HomeRealmService,
    HomeRealmRepository,
    OwnLinksRepository,
    LinkingService,
    StartLinking,
    ConfirmParkedLink,
    AccountProof,
    SamlEngine,
    SamlChecks,
    SamlSubjects,
    LinkedSubjectsRepository,
    SamlResultsRepository,
    SamlLoginService,
    GetServiceProvider,
    OidcEngine,
    SsoLoginOidcService,
    OpenIdStrategy,
    OpenIdGuard,
    SsoLoginAttemptsService,
    CompleteSsoLogin,
    SsoLoginService,
    SsoLoginAccountsService,
    ParkedLinksRepository,
    LinkFactsRepository,
    NewcomersRepository,
    ExchangeCodesRepository,
    LoginSessionsRepository,
    AccountFactsRepository,
    IdentityLinksRepository,
    StateCookies,
    ReturnToApp,
    LoginRefusedFilter,
    TestSignIns,
    CompleteTestSignIn,
    SweepOneTimeValues,
  ],
};

const sessions = {
  controllers: [IntrospectionController, OwnSessionsController, SessionListController, JwksController],
  providers: [
    IntrospectionService,
    ReplyWithPrincipal,
    IntrospectionRepository,
    OwnSessionsService,
    SessionCookie,
    CookieSignIn,
    SessionsRepository,
    SessionRecordsRepository,
    RefreshTokensRepository,
    OpenSession,
    RevokeSessions,
    SessionsService,
    SigningKeys,
    SigningKeyRotation,
    SigningKeysRepository,
    AccessTokens,
    SignOfflineRules,
  ],
};

const invitations = {
  controllers: [InvitationsController, UserInvitationsController],
  providers: [
    InvitationsService,
    InvitedPassword,
    ChangeInvitation,
    OffersRepository,
    AcceptedOffersRepository,
    InvitationMailsRepository,
    WithdrawDeadOffers,
    OpenInvitationsService,
  ],
};

const signIn = {
  controllers: [PasskeySignInController, PasswordLoginController, PasswordRecoveryController],
  providers: [
    PasskeySignInService,
    PasswordLoginService,
    PasswordAttempts,
    PasswordRecoveryService,
    PasswordFacts,
    Passwords,
    CredentialsRepository,
    ResetLinksRepository,
    CompleteSignIn,
    SignInService,
    MfaChallengesRepository,
  ],
};

/** Global, so that the guard of all routes finds how visits of set-up links are authenticated. */
@Global()
@Module({
  imports: [TenantDataModule.with(identityTenantData)],
  controllers: [
    ...people.controllers,
    ...apiKeys.controllers,
    ...tenants.controllers,
    ...providers.controllers,
    ...factors.controllers,
    ...sso.controllers,
    ...sessions.controllers,
    ...invitations.controllers,
    ...signIn.controllers,
  ],
  providers: [
    ...mail.providers,
    ...people.providers,
    ...apiKeys.providers,
    ...housekeeping.providers,
    ...tenants.providers,
    ...providers.providers,
    ...factors.providers,
    ...sso.providers,
    ...sessions.providers,
    ...invitations.providers,
    ...signIn.providers,
  ],
  exports: [SETUP_AUTHENTICATOR],
})
export class AppModule {}
