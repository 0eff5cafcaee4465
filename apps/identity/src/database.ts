import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { ApiKeyEntity, ApiKeyPolicyEntity } from './api-keys/api-keys.repository.ts';
import { MfaFactorEntity, RecoveryCodeEntity } from './factors/factors.repository.ts';
import { MailOutboxEntity } from './mail/mail-outbox.repository.ts';
import { MembershipEntity } from './people/memberships/memberships.repository.ts';
import { IdentityCore1800000000001 } from './migrations/1800000000001-identity-core.ts';
import { IdentitySso1800000000021 } from './migrations/1800000000021-sso.ts';
import { GovernedWhereAlive1800000000041 } from './migrations/1800000000041-governed-where-alive.ts';
import { TechnicianStatesInTurn1800000000061 } from './migrations/1800000000061-technician-states-in-turn.ts';
import { WeakSamlKeys1800000000231 } from './migrations/1800000000231-weak-saml-keys.ts';
import { EarlierEmailSubjects1800000000232 } from './migrations/1800000000232-earlier-email-subjects.ts';
import { SignInBoundToBrowser1800000000245 } from './migrations/sessions/1800000000245-sign-in-bound-to-browser.ts';
import { SelfLinkedIdentities1800000000251 } from './migrations/1800000000251-self-linked-identities.ts';
import { MembershipsApart1800000000261 } from './migrations/1800000000261-memberships-apart.ts';
import { InvitationsAsOffers1800000000262 } from './migrations/1800000000262-invitations-as-offers.ts';
import { LoginBrandingEntity } from './tenants/branding/login-branding.repository.ts';
import { SetupLinkEntity, SetupVisitEntity } from './providers/setup-links/setup-links.repository.ts';
import { DomainEntity } from './providers/domains/domains.repository.ts';
import { MetadataChangeEntity } from './providers/watch/metadata-changes.repository.ts';
import { ExpiryAlertEntity, SsoSettingsEntity } from './providers/watch/expiries.repository.ts';
import { AttemptEntity } from './sso/attempt-log/attempts.repository.ts';
import { SamlResultEntity } from './sso/saml/saml-results.repository.ts';
import { IdentityLinkEntity } from './sso/login/accounts/identity-link.entity.ts';
import { ParkedLinkEntity } from './sso/login/accounts/parked-link.entity.ts';
import { LoginSessionEntity } from './sso/login/attempts/login-session.entity.ts';
import { ExchangeCodeEntity } from './sso/login/exchange-code.entity.ts';
import { SigningKeyEntity } from './sessions/tokens/signing-keys.repository.ts';
import { WithdrawnOffers1800000000263 } from './migrations/1800000000263-withdrawn-offers.ts';
import { FactorsByProviders1800000000291 } from './migrations/1800000000291-factors-by-providers.ts';
import { FunctionsWithoutGrants1800000000281 } from './migrations/1800000000281-functions-without-grants.ts';
import { CookieSessions1800000000264 } from './migrations/sessions/1800000000264-cookie-sessions.ts';
import { AuthorsOfTrust1800000000292 } from './migrations/records/1800000000292-authors-of-trust.ts';
import { KeysOfProviderSessions1800000000502 } from './migrations/records/1800000000502-keys-of-provider-sessions.ts';
import { OffersOfProviderSessions1800000000511 } from './migrations/records/1800000000511-offers-of-provider-sessions.ts';
import { ProvidersAsTheyAre1800000000520 } from './migrations/records/1800000000520-providers-as-they-are.ts';
import { SetupLinks1800000000311 } from './migrations/records/1800000000311-setup-links.ts';
import { SsoAttempts1800000000531 } from './migrations/records/1800000000531-sso-attempts.ts';
import { TestSignIns1800000000541 } from './migrations/records/1800000000541-test-sign-ins.ts';
import { StagedEnforcement1800000000331 } from './migrations/records/1800000000331-staged-enforcement.ts';
import { WatchOverProviders1800000000321 } from './migrations/records/1800000000321-watch-over-providers.ts';
import { EncryptedAssertions1800000000581 } from './migrations/records/1800000000581-encrypted-assertions.ts';
import { RecordVersions1800000000271 } from './migrations/records/1800000000271-record-versions.ts';
import { InvitationMailEntity, MembershipOfferEntity } from './invitations/offers/offer.entities.ts';
import { CredentialEntity, PasswordResetEntity } from './sign-in/passwords/credentials.repository.ts';
import { UserEntity } from './people/users.repository.ts';
import { RoleEntity } from './people/roles/roles.repository.ts';
import { RefreshTokenEntity, SessionEntity } from './sessions/sessions.repository.ts';
import { MfaChallengeEntity } from './sign-in/mfa-challenges.repository.ts';
import { SsoProvider } from './providers/configuration/store/sso-provider.entity.ts';
import { OrgRefEntity, PartnerRefEntity, SiteRefEntity } from './tenants/tenant-refs/tenant-refs.repository.ts';
import { WebauthnCeremonyEntity } from './factors/webauthn/passkeys.repository.ts';

export const identityDatabase: DatabaseDefinition = {
  name: 'identity',
  entities: [
    ...TENANT_TASK_ENTITIES,
    SsoProvider,
    LoginSessionEntity,
    IdentityLinkEntity,
    ParkedLinkEntity,
    AttemptEntity,
    MetadataChangeEntity,
    ExpiryAlertEntity,
    SsoSettingsEntity,
    ExchangeCodeEntity,
    SamlResultEntity,
    DomainEntity,
    SetupLinkEntity,
    SetupVisitEntity,
    LoginBrandingEntity,
    SigningKeyEntity,
    ApiKeyEntity,
    ApiKeyPolicyEntity,
    CredentialEntity,
    InvitationMailEntity,
    MailOutboxEntity,
    MembershipEntity,
    MembershipOfferEntity,
    MfaChallengeEntity,
    MfaFactorEntity,
    OrgRefEntity,
    PartnerRefEntity,
    PasswordResetEntity,
    RecoveryCodeEntity,
    RefreshTokenEntity,
    RoleEntity,
    SessionEntity,
    SiteRefEntity,
    UserEntity,
    WebauthnCeremonyEntity,
  ],
  migrations: [
    TenantTasksSchema1700000000002,
    FoldedNameFunction1700000000003,
    IdentityCore1800000000001,
    IdentitySso1800000000021,
    GovernedWhereAlive1800000000041,
    TechnicianStatesInTurn1800000000061,
    WeakSamlKeys1800000000231,
    EarlierEmailSubjects1800000000232,
    SignInBoundToBrowser1800000000245,
    SelfLinkedIdentities1800000000251,
    MembershipsApart1800000000261,
    InvitationsAsOffers1800000000262,
    WithdrawnOffers1800000000263,
    CookieSessions1800000000264,
    RecordVersions1800000000271,
    FunctionsWithoutGrants1800000000281,
    FactorsByProviders1800000000291,
    AuthorsOfTrust1800000000292,
    WatchOverProviders1800000000321,
    KeysOfProviderSessions1800000000502,
    OffersOfProviderSessions1800000000511,
    ProvidersAsTheyAre1800000000520,
    SsoAttempts1800000000531,
    TestSignIns1800000000541,
    StagedEnforcement1800000000331,
    SetupLinks1800000000311,
    EncryptedAssertions1800000000581,
  ],
};
