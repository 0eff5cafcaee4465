import {
  Choice,
  Email,
  Flag,
  Instant,
  Nested,
  NestedList,
  Pasted,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { LoginBrandingDto } from './branding.dto.ts';
import {
  DomainRecord,
  PresetRecord,
  ProviderConnectionDto,
  ProviderConnectionRecord,
  ProviderExampleRecord,
  ServiceProviderRecord,
} from './sso-provider.dto.ts';
import { OWNER_SCOPES, type OwnerScope, SSO_PROTOCOLS, type SsoProtocol } from './sso-login.dto.ts';

/**
 * `configure` sets up a provider that is not active; `renew` renews certificate, metadata or secret of an active one.
 */
export const SETUP_PURPOSES = ['configure', 'renew'] as const;
export type SetupPurpose = (typeof SETUP_PURPOSES)[number];
export const SETUP_LINK_STATUSES = ['open', 'completed', 'revoked', 'expired'] as const;
export type SetupLinkStatus = (typeof SETUP_LINK_STATUSES)[number];
/** What a set-up still lacks. */
export const SETUP_STEPS = ['configured', 'domainVerified', 'tested'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

const PURPOSE =
  'configure: sets up a provider that is not active; renew: renews certificate, metadata or client secret of an active one';
const TYPE = 'The only protocol that the visitor may choose; without one, either';
const PRESET = 'The kind of provider whose steps the page shows first';
const RECIPIENT = 'Where a code is mailed that each visit must show';
const ACTIVATE = 'Whether the visitor may switch the provider on at the end';
const ROLE = 'The role of people who come through the provider for the first time';
const PROVISION = 'Whether such people get an account; only with a role, and then by default';

export class CreateSetupLinkDto {
  @Choice(OWNER_SCOPES, { optional: true }) ownerScope?: OwnerScope;
  @Uuid({ optional: true, nullable: true }) orgId?: string | null;
  @Uuid({ optional: true, description: 'The provider to set up or renew; if omitted, the visitor creates one' })
  providerId?: string;
  @Choice(SETUP_PURPOSES, { optional: true, description: PURPOSE }) purpose?: SetupPurpose;
  @Choice(SSO_PROTOCOLS, { optional: true, description: TYPE }) type?: SsoProtocol;
  @Text({ max: 50, optional: true, description: PRESET }) preset?: string;
  @Email({ optional: true, description: RECIPIENT }) recipientEmail?: string;
  @Flag({ optional: true, description: ACTIVATE }) mayActivate?: boolean;
  @Whole({ min: 1, max: 720, optional: true, description: 'How long the link is valid; default: 168' })
  expiresInHours?: number;
  @Uuid({ optional: true, description: ROLE }) defaultRoleId?: string;
  @Flag({ optional: true, description: PROVISION }) autoProvision?: boolean;
}

/** A link with which an administrator who has no account here sets up single sign-on. */
export class SetupLinkRecord {
  @Uuid() id!: string;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Uuid({ nullable: true, description: 'Null until the visitor has created the provider' }) providerId!: string | null;
  @Choice(SETUP_PURPOSES, { description: PURPOSE }) purpose!: SetupPurpose;
  @Choice(SSO_PROTOCOLS, { nullable: true, description: TYPE }) type!: SsoProtocol | null;
  @Text({ max: 50, nullable: true, description: PRESET }) preset!: string | null;
  @Text({ max: 320, nullable: true, description: RECIPIENT }) recipientEmail!: string | null;
  @Flag({ description: ACTIVATE }) mayActivate!: boolean;
  @Uuid({ nullable: true, description: ROLE }) defaultRoleId!: string | null;
  @Flag({ description: PROVISION }) autoProvision!: boolean;
  @Flag({ description: 'Always false: this release does not support provisioning' }) withProvisioning!: boolean;
  @Choice(SETUP_LINK_STATUSES, { description: 'The status; only an open link can be used' }) status!: SetupLinkStatus;
  @Instant() expiresAt!: string;
  @Uuid({ description: 'The administrator with whose permissions the visitor acts' }) createdBy!: string;
  @Instant() createdAt!: string;
  @Instant({ nullable: true, description: 'When a visitor last opened it' }) lastOpenedAt!: string | null;
}

export class NewSetupLinkRecord extends SetupLinkRecord {
  @Text({ max: 500, description: 'The link itself, shown only once' }) url!: string;
}

export class SetupVisitRecord {
  @Uuid() id!: string;
  @Instant({ description: 'When it began' }) openedAt!: string;
  @Instant({ description: 'When the agent last called, to the minute' }) lastSeenAt!: string;
  @Text({ max: 64, nullable: true, description: "The visitor's address" }) ip!: string | null;
  @Text({ max: 500, nullable: true, description: "The visitor's browser" }) userAgent!: string | null;
}

export class VisitedSetupLinkRecord extends SetupLinkRecord {
  @NestedList(() => SetupVisitRecord, { maxItems: 100, description: 'The newest visits' }) visits!: SetupVisitRecord[];
}

export class NewSetupLinkResponse {
  @Nested(() => NewSetupLinkRecord) data!: NewSetupLinkRecord;
}

export class SetupLinkResponse {
  @Nested(() => VisitedSetupLinkRecord) data!: VisitedSetupLinkRecord;
}

export class SetupLinkListResponse {
  @NestedList(() => SetupLinkRecord, { maxItems: 100 }) data!: SetupLinkRecord[];
}

export class OpenSetupVisitDto {
  @Pasted({ min: 1, max: 64, description: "The part of the link's address after `#`" }) token!: string;
  @Pasted({
    max: 6,
    optional: true,
    pattern: /^\d{6}$/,
    patternHint: 'must be a code of six digits',
    description: 'The code from the e-mail',
  })
  code?: string;
}

/** Either the token of the visit, or `codeRequired`. */
export class SetupVisitOpening {
  @Text({ max: 64, optional: true, description: 'The bearer token of the visit' }) visitToken?: string;
  @Instant({ optional: true, description: 'When the visit ends' }) expiresAt?: string;
  @Flag({ optional: true, description: 'A code was e-mailed to the recipient: repeat the call with it' })
  codeRequired?: boolean;
}

export class SetupVisitResponse {
  @Nested(() => SetupVisitOpening) data!: SetupVisitOpening;
}

/**
 * Replaces the settings as a whole, except that an omitted client secret is kept. A renewal link keeps every omitted
 * setting, and accepts only the certificate, the address of the metadata, the client secret and its expiry.
 */
export class SetUpProviderDto extends ProviderConnectionDto {
  @Choice(SSO_PROTOCOLS, { optional: true, description: 'Required, except by links that renew' }) type?: SsoProtocol;
  @Text({ max: 50, optional: true, nullable: true }) preset?: string | null;
  @Text({ min: 1, max: 255, optional: true, trim: true, description: 'Default: unchanged' }) name?: string;
  @Whole({ min: 1, max: 2 ** 31 - 1, optional: true, description: 'Required once a provider exists' })
  configVersion?: number;
}

export class SetUpDomainDto {
  @Text({ min: 3, max: 253, trim: true }) domain!: string;
}

export class CompleteSetupDto {
  @Flag({ optional: true, description: 'Whether to activate the provider; only if the link allows it' })
  activate?: boolean;
}

export class SetupStepsRecord {
  @Flag({ description: 'Whether the provider has all settings that sign-in requires' }) configured!: boolean;
  @Flag({ description: 'Whether a mail domain is verified or not required' }) domainVerified!: boolean;
  @Flag({ description: 'Whether a test sign-in with the current settings has succeeded for the mail domain' })
  tested!: boolean;
  @Flag({ description: 'Whether the visitor has finished' }) completed!: boolean;
}

/** All that the visitor of a set-up link sees. */
export class SetupView {
  @Text({ max: 255, nullable: true, description: 'The organisation whose people will sign in' })
  organizationName!: string | null;
  @Text({ max: 255 }) partnerName!: string;
  @Nested(() => LoginBrandingDto, { nullable: true }) branding!: LoginBrandingDto | null;
  @Choice(SETUP_PURPOSES, { description: PURPOSE }) purpose!: SetupPurpose;
  @Choice(SSO_PROTOCOLS, { nullable: true, description: TYPE }) type!: SsoProtocol | null;
  @Text({ max: 50, nullable: true, description: PRESET }) preset!: string | null;
  @Flag({ description: ACTIVATE }) mayActivate!: boolean;
  @Uuid({ nullable: true, description: ROLE }) defaultRoleId!: string | null;
  @Flag({ description: PROVISION }) autoProvision!: boolean;
  @Flag({ description: 'Always false: this release does not support provisioning' }) withProvisioning!: boolean;
  @Nested(() => ProviderConnectionRecord, { nullable: true, description: 'Null until it is set up' })
  provider!: ProviderConnectionRecord | null;
  @Nested(() => ServiceProviderRecord, { description: 'Our addresses, to copy into the provider' })
  copyValues!: ServiceProviderRecord;
  @NestedList(() => PresetRecord, { maxItems: 20, description: 'Well-known providers, with their steps' })
  presets!: PresetRecord[];
  @NestedList(() => ProviderExampleRecord, { maxItems: 5, description: 'Steps for other providers' })
  examples!: ProviderExampleRecord[];
  @NestedList(() => DomainRecord, { maxItems: 1000, description: 'The mail domains of the organisation' })
  domains!: DomainRecord[];
  @Nested(() => SetupStepsRecord, { description: 'The progress of the set-up' }) steps!: SetupStepsRecord;
  @TextList({ max: 50, maxItems: 3, description: 'The steps that are still missing' }) missing!: SetupStep[];
  @Flag({ description: "Whether certificate changes require an administrator's approval" })
  awaitsApproval!: boolean;
  @Instant({ description: 'When the visit ends' }) expiresAt!: string;
}

export class SetupViewResponse {
  @Nested(() => SetupView) data!: SetupView;
}
