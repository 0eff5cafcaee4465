import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { TENANT_REF_ENTITIES, TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { ApiKeyEntity, ApiKeyPolicyEntity } from './api-keys/api-keys.repository.ts';
import { MfaFactorEntity, RecoveryCodeEntity } from './people/factors.repository.ts';
import { MailOutboxEntity } from './mail/mail-outbox.repository.ts';
import { MembershipEntity } from './people/memberships/memberships.repository.ts';
import { Baseline1800000004530 } from './migrations/baseline.ts';
import { LoginBrandingEntity } from './tenants/branding/login-branding.repository.ts';
import { SetupLinkEntity, SetupVisitEntity } from './providers/setup-links.repository.ts';
import { DomainEntity } from './providers/domains/domains.repository.ts';
import { MetadataChangeEntity } from './providers/watch/metadata-changes.repository.ts';
import { ExpiryAlertEntity, SsoSettingsEntity } from './providers/watch/expiries.repository.ts';
import { AttemptEntity } from './providers/attempt-log/attempts.repository.ts';
import { SamlResultEntity } from './sso/saml/saml-results.repository.ts';
import { LoginSessionEntity } from './sso/login/attempts/login-session.entity.ts';
import { SigningKeyEntity } from './sessions/tokens/signing-keys.repository.ts';
import { SetupLinksOfSessions1800000005601 } from './migrations/1800000005601-setup-links-of-sessions.ts';
import { InvitationMailEntity, MembershipOfferEntity } from './people/offers/offer.entities.ts';
import { CredentialEntity, PasswordResetEntity } from './people/passwords/credentials.repository.ts';
import { UserEntity } from './people/users.repository.ts';
import { RoleEntity } from './people/roles/roles.repository.ts';
import { RefreshTokenEntity, SessionEntity } from './sessions/sessions.repository.ts';
import { MfaChallengeEntity } from './sign-in/mfa-challenges.repository.ts';
import { SsoProvider } from './providers/configuration/store/sso-provider.entity.ts';
import { WebauthnCeremonyEntity } from './sign-in/webauthn/passkeys.repository.ts';
import { ExchangeCodeEntity } from './sso/login/exchange-codes.repository.ts';
import { IdentityLinkEntity } from './sso/login/accounts/identity-links.repository.ts';
import { ParkedLinkEntity } from './sso/login/accounts/parked-links.repository.ts';

export const identityDatabase: DatabaseDefinition = {
  name: 'identity',
  entities: [
    ...TENANT_TASK_ENTITIES,
    ...TENANT_REF_ENTITIES,
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
    PasswordResetEntity,
    RecoveryCodeEntity,
    RefreshTokenEntity,
    RoleEntity,
    SessionEntity,
    UserEntity,
    WebauthnCeremonyEntity,
  ],
  migrations: [
    TenantTasksSchema1700000000002,
    FoldedNameFunction1700000000003,
    Baseline1800000004530,
    SetupLinksOfSessions1800000005601,
  ],
};
