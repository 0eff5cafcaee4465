import {
  Choice,
  ChoiceList,
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
import { EnforcementRecord } from './sso-enforcement.dto.ts';
import {
  OWNER_SCOPES,
  type OwnerScope,
  PROVIDER_STATUSES,
  type ProviderStatus,
  SSO_PROTOCOLS,
  type SsoProtocol,
} from './sso-login.dto.ts';

const CLAIM_NAME = {
  min: 1,
  max: 255,
  trim: true,
  pattern: /^(?!\s*friendly:\s*$)/,
  patternHint: 'must name a claim; "friendly:" needs the FriendlyName of an attribute behind it',
};
const URL_FORM = {
  max: 500,
  pattern: /^https?:\/\/[^\s\\]+$/i,
  patternHint: 'must be a URL of at most 500 characters',
};
const CLEARABLE = { optional: true, nullable: true };
const MAX_CERTIFICATE_CHARACTERS = 20_000;
const MAX_ENTITY_ID = 1024;
const MAX_VERSION = { min: 1, max: 2 ** 31 - 1 };

/** SSO-15: our field → the provider's claim, or `friendly:` and the FriendlyName of a SAML attribute (SSO-90). */
export class AttributeMappingDto {
  @Text(CLAIM_NAME) email!: string;
  @Text(CLAIM_NAME) name!: string;
  @Text({ ...CLAIM_NAME, optional: true }) firstName?: string;
  @Text({ ...CLAIM_NAME, optional: true }) lastName?: string;
  @Text({ ...CLAIM_NAME, optional: true }) groups?: string;
}

/** Where a provider says how a user signed in: claims of the ID token, or statements of the signed assertion. */
export const MFA_EVIDENCE = ['amr', 'acr', 'acrs', 'authnmethods', 'authncontext'] as const;
export type MfaEvidence = (typeof MFA_EVIDENCE)[number];

const EVIDENCE = {
  min: 1,
  max: 255,
  maxItems: 20,
  optional: true,
  trim: true,
  description: 'Exact values of this kind',
};
const EVIDENCE_VALUES = 'The values that stand for a second factor, by kind; without any, the defaults of the kind';
const SUBJECT = 'The claim that identifies a user; `oid` needs the issuer of one tenant of Microsoft Entra ID';

/** The values of each kind that stand for a second factor; a kind that is left out keeps its default. */
export class MfaEvidenceValuesDto {
  @TextList(EVIDENCE) amr?: string[];
  @TextList(EVIDENCE) acr?: string[];
  @TextList(EVIDENCE) acrs?: string[];
  @TextList(EVIDENCE) authnmethods?: string[];
  @TextList(EVIDENCE) authncontext?: string[];
}

/** The claim that identifies a user at the provider; `oid` for one tenant of Microsoft Entra ID. */
export const SUBJECT_CLAIMS = ['sub', 'oid'] as const;
export type SubjectClaim = (typeof SUBJECT_CLAIMS)[number];

const EVIDENCE_KINDS = {
  minItems: 1,
  maxItems: MFA_EVIDENCE.length,
  description: 'Where the provider asserts a second factor, if it is trusted',
};

/** What becomes of what a provider's metadata say: everything waits for approval, or certificates are taken over. */
export const METADATA_POLICIES = ['hold', 'auto_certificates'] as const;
export type MetadataPolicy = (typeof METADATA_POLICIES)[number];

const METADATA_URL = 'Where a SAML provider publishes its metadata; it is read every few hours';
const METADATA_POLICY =
  'hold: each change of the metadata waits for approval; auto_certificates: the next certificate is taken over where that is safe';
const SECRET_EXPIRY = 'When the client secret runs out, as the provider says; administrators are told before';

const ENCRYPTION_CERTIFICATE = 'Ours, in PEM: the provider may encrypt assertions with its key; null without one';

/** What the provider's own administrator knows. */
export class ProviderConnectionDto {
  @Pasted({ ...URL_FORM, ...CLEARABLE }) issuer?: string | null;
  @Pasted({ max: 255, ...CLEARABLE }) clientId?: string | null;
  @Pasted({ max: 1000, ...CLEARABLE, description: 'Write-only. Omitted or empty: the stored one is kept.' })
  clientSecret?: string | null;
  @Text({ max: 500, optional: true, trim: true }) scopes?: string;
  @Nested(() => AttributeMappingDto, { optional: true }) attributeMapping?: AttributeMappingDto;
  @Pasted({ max: MAX_ENTITY_ID, ...CLEARABLE, description: "The provider's SAML entity id" }) entityId?: string | null;
  @Pasted({ ...URL_FORM, ...CLEARABLE, description: 'SAML single sign-on address (HTTP-Redirect)' }) ssoUrl?:
    string | null;
  @Text({
    max: MAX_CERTIFICATE_CHARACTERS,
    ...CLEARABLE,
    trim: true,
    description: 'SAML signing certificate, PEM or base64; two during a rollover',
  })
  certificate?: string | null;
  @Pasted({ max: 255, ...CLEARABLE, description: 'The requested NameID format; default: emailAddress' })
  nameIdFormat?: string | null;
  @Pasted({ ...URL_FORM, ...CLEARABLE, description: METADATA_URL }) metadataUrl?: string | null;
  @Instant({ ...CLEARABLE, description: SECRET_EXPIRY }) clientSecretExpiresAt?: string | null;
}

/** The members that create and update share; in an update, null clears a member and an omitted member stays. */
class ProviderSettingsDto extends ProviderConnectionDto {
  @Flag({ optional: true }) autoProvision?: boolean;
  @Uuid(CLEARABLE) defaultRoleId?: string | null;
  @Text({ max: 1000, ...CLEARABLE, description: 'E-mail domains separated by commas; empty means all' })
  allowedDomains?: string | null;
  @Flag({ optional: true }) enforceSSO?: boolean;
  @Flag({ optional: true }) trustsIdpMfa?: boolean;
  @ChoiceList(MFA_EVIDENCE, { ...EVIDENCE_KINDS, optional: true }) mfaEvidence?: MfaEvidence[];
  @Nested(() => MfaEvidenceValuesDto, { optional: true, description: EVIDENCE_VALUES })
  mfaEvidenceValues?: MfaEvidenceValuesDto;
  @Choice(SUBJECT_CLAIMS, { optional: true, description: SUBJECT }) subjectClaim?: SubjectClaim;
  @Pasted({ ...URL_FORM, ...CLEARABLE }) authorizationUrl?: string | null;
  @Pasted({ ...URL_FORM, ...CLEARABLE }) tokenUrl?: string | null;
  @Pasted({ ...URL_FORM, ...CLEARABLE }) userInfoUrl?: string | null;
  @Pasted({ ...URL_FORM, ...CLEARABLE }) jwksUrl?: string | null;
  @Flag({ optional: true, description: 'Whether SAML users must authenticate each time' }) forceAuthn?: boolean;
  @Choice(METADATA_POLICIES, { optional: true, description: METADATA_POLICY }) metadataPolicy?: MetadataPolicy;
}

export class CreateProviderDto extends ProviderSettingsDto {
  @Choice(OWNER_SCOPES, { optional: true }) ownerScope?: OwnerScope;
  @Uuid(CLEARABLE) orgId?: string | null;
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @Text({ max: 50, ...CLEARABLE }) preset?: string | null;
}

export class UpdateProviderDto extends ProviderSettingsDto {
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Choice(SSO_PROTOCOLS, { optional: true }) type?: SsoProtocol;
  @Whole({ min: 0, max: 1_000_000, optional: true, description: 'The number of links that the change ends' })
  confirmRelink?: number;
}

export class SetProviderStatusDto {
  @Choice(PROVIDER_STATUSES) status!: ProviderStatus;
}

export class ProviderWarningRecord {
  @Text({ max: 100 }) code!: string;
  @Text({ max: 1000 }) detail!: string;
}

export class SamlCertificateRecord {
  @Text({ max: 1000 }) subject!: string;
  @Instant() notBefore!: string;
  @Instant() notAfter!: string;
  @Text({ max: 64 }) sha256!: string;
}

/** What a provider is told and tells: never its secret. */
export class ProviderConnectionRecord {
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @Text({ max: 50, nullable: true }) preset!: string | null;
  @Choice(PROVIDER_STATUSES) status!: ProviderStatus;
  @Text({ max: 500, nullable: true }) issuer!: string | null;
  @Text({ max: 255, nullable: true }) clientId!: string | null;
  @Flag() hasClientSecret!: boolean;
  @Text({ max: 500 }) scopes!: string;
  @Nested(() => AttributeMappingDto) attributeMapping!: AttributeMappingDto;
  @Text({ max: 500, nullable: true }) authorizationUrl!: string | null;
  @Text({ max: 500, nullable: true }) tokenUrl!: string | null;
  @Text({ max: 500, nullable: true }) userInfoUrl!: string | null;
  @Text({ max: 500, nullable: true }) jwksUrl!: string | null;
  @Text({ max: MAX_ENTITY_ID, nullable: true }) entityId!: string | null;
  @Text({ max: 500, nullable: true }) ssoUrl!: string | null;
  @Text({ max: MAX_CERTIFICATE_CHARACTERS, nullable: true }) certificate!: string | null;
  @NestedList(() => SamlCertificateRecord, { maxItems: 2, description: 'From `certificate`; empty for oidc' })
  certificates!: SamlCertificateRecord[];
  @Text({ max: 255, nullable: true }) nameIdFormat!: string | null;
  @Text({ max: MAX_CERTIFICATE_CHARACTERS, nullable: true, description: ENCRYPTION_CERTIFICATE })
  encryptionCertificate!: string | null;
  @Text({ max: 500, nullable: true, description: METADATA_URL }) metadataUrl!: string | null;
  @Instant({ nullable: true, description: SECRET_EXPIRY }) clientSecretExpiresAt!: string | null;
  @NestedList(() => ProviderWarningRecord, { maxItems: 20 }) warnings!: ProviderWarningRecord[];
  @Whole(MAX_VERSION) configVersion!: number;
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
}

/** A provider in an answer. */
export class ProviderRecord extends ProviderConnectionRecord {
  @Uuid() id!: string;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Flag() autoProvision!: boolean;
  @Uuid({ nullable: true }) defaultRoleId!: string | null;
  @Uuid({ nullable: true }) defaultRoleConfiguredBy!: string | null;
  @Text({ max: 1000, nullable: true }) allowedDomains!: string | null;
  @Flag() enforceSSO!: boolean;
  @Nested(() => EnforcementRecord, { description: 'The stage of enforcement.' }) enforcement!: EnforcementRecord;
  @Flag() trustsIdpMfa!: boolean;
  @ChoiceList(MFA_EVIDENCE, EVIDENCE_KINDS) mfaEvidence!: MfaEvidence[];
  @Nested(() => MfaEvidenceValuesDto, { description: EVIDENCE_VALUES }) mfaEvidenceValues!: MfaEvidenceValuesDto;
  @Choice(SUBJECT_CLAIMS, { description: SUBJECT }) subjectClaim!: SubjectClaim;
  @Flag() forceAuthn!: boolean;
  @Choice(METADATA_POLICIES, { description: METADATA_POLICY }) metadataPolicy!: MetadataPolicy;
  @Instant({ nullable: true, description: 'When the metadata was last read' }) metadataCheckedAt!: string | null;
  @Text({ max: 1000, nullable: true, description: 'Why the metadata could not be read' }) metadataError!: string | null;
  @Uuid({ nullable: true, description: 'The metadata change that is awaiting approval' })
  pendingChangeId!: string | null;
  @Whole(MAX_VERSION) version!: number;
  @Uuid({ nullable: true }) createdBy!: string | null;
}

export class ProviderResponse {
  @Nested(() => ProviderRecord) data!: ProviderRecord;
}

export class ProviderListResponse {
  @NestedList(() => ProviderRecord, { maxItems: 1000 }) data!: ProviderRecord[];
}

const GUIDE = {
  max: 500,
  maxItems: 12,
  description: 'What to do at the provider; `{callback_url}`, `{acs_url}` … stand for our addresses',
};

export class PresetRecord {
  @Text({ max: 50 }) id!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @Text({ max: 500, optional: true }) issuerTemplate?: string;
  @Text({ max: 500, optional: true }) ssoUrlTemplate?: string;
  @Text({ max: 500, optional: true }) metadataUrlTemplate?: string;
  @Text({ max: 500, optional: true }) scopes?: string;
  @Nested(() => AttributeMappingDto) attributeMapping!: AttributeMappingDto;
  @ChoiceList(MFA_EVIDENCE, EVIDENCE_KINDS) mfaEvidence!: MfaEvidence[];
  @TextList({ max: 50, maxItems: 5 }) placeholders!: string[];
  @Text({ max: 1000 }) instructions!: string;
  @TextList(GUIDE) steps!: string[];
}

/** How to set up a provider for which there is no preset. */
export class ProviderExampleRecord {
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @TextList(GUIDE) steps!: string[];
}

export class PresetListResponse {
  @NestedList(() => PresetRecord, { maxItems: 20 }) data!: PresetRecord[];
  @NestedList(() => ProviderExampleRecord, { maxItems: 5, description: 'Providers without a preset' })
  examples!: ProviderExampleRecord[];
}

export class DiscoveredEndpointsRecord {
  @Text({ max: 500 }) issuer!: string;
  @Text({ max: 500 }) authorizationEndpoint!: string;
  @Text({ max: 500 }) tokenEndpoint!: string;
  @Text({ max: 500, nullable: true }) userInfoEndpoint!: string | null;
  @Text({ max: 500 }) jwksUri!: string;
}

export class SamlTestRecord {
  @Text({ max: MAX_ENTITY_ID }) entityId!: string;
  @Text({ max: 500 }) ssoUrl!: string;
  @NestedList(() => SamlCertificateRecord, { maxItems: 2 }) certificates!: SamlCertificateRecord[];
}

export class ProviderTestResponse {
  @Flag() success!: boolean;
  @Text({ max: 500 }) message!: string;
  @Nested(() => DiscoveredEndpointsRecord, { optional: true }) discovery?: DiscoveredEndpointsRecord;
  @Nested(() => SamlTestRecord, { optional: true }) saml?: SamlTestRecord;
}

export class SuccessResponse {
  @Flag() success!: boolean;
}

export class ServiceProviderRecord {
  @Text({ max: 500, description: 'The redirect address of OpenID Connect' }) callbackUrl!: string;
  @Text({ max: 500, description: 'The assertion consumer service of SAML' }) acsUrl!: string;
  @Text({ max: MAX_ENTITY_ID, description: 'The entity id of SAML, and the audience of its assertions' })
  entityId!: string;
  @Text({ max: 500, description: 'The SAML metadata of this product' }) metadataUrl!: string;
}

export class ServiceProviderResponse {
  @Nested(() => ServiceProviderRecord) data!: ServiceProviderRecord;
}

/** One of `url` and `xml`. */
export class ReadSamlMetadataDto {
  @Pasted({ min: 8, max: 500, optional: true, description: 'Where the provider publishes its metadata' }) url?: string;
  @Text({ min: 1, max: 90_000, optional: true, description: 'The metadata itself' }) xml?: string;
  @Flag({ optional: true, description: 'Whether the response also contains each certificate in PEM' })
  withPem?: boolean;
}

export class MetadataCertificateRecord extends SamlCertificateRecord {
  @Text({ max: 20_000, optional: true, description: 'The certificate itself, if `withPem` asked for it' }) pem?: string;
}

export class SamlMetadataRecord {
  @Text({ max: MAX_ENTITY_ID }) entityId!: string;
  @Text({ max: 500 }) ssoUrl!: string;
  @NestedList(() => MetadataCertificateRecord, { maxItems: 20, description: "The provider's signing certificates" })
  certificates!: MetadataCertificateRecord[];
  @NestedList(() => ProviderWarningRecord, { maxItems: 50 }) warnings!: ProviderWarningRecord[];
}

export class SamlMetadataResponse {
  @Nested(() => SamlMetadataRecord) data!: SamlMetadataRecord;
}

export class CreateDomainDto {
  @Uuid({ optional: true }) orgId?: string;
  @Text({ min: 3, max: 253, trim: true }) domain!: string;
}

export class DomainRecord {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text({ max: 253 }) domain!: string;
  @Flag() verified!: boolean;
  @Instant({ nullable: true }) verifiedAt!: string | null;
  @Instant({ nullable: true }) lastCheckedAt!: string | null;
  @Text({ max: 300 }) recordName!: string;
  @Text({ max: 300 }) recordValue!: string;
}

export class DomainResponse {
  @Nested(() => DomainRecord) data!: DomainRecord;
}

export class DomainListResponse {
  @NestedList(() => DomainRecord, { maxItems: 1000 }) data!: DomainRecord[];
}
