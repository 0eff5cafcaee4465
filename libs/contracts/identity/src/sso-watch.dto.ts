import {
  Choice,
  ChoiceList,
  defineEvent,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
  Uuid,
  Whole,
  WholeInQuery,
} from '@gatehouse/contracts-core';
import { ApiProperty } from '@nestjs/swagger';
import { OWNER_SCOPES, type OwnerScope } from './sso-login.dto.ts';
import type { SamlCertificateRecord } from './sso-provider.dto.ts';

export const METADATA_CHANGE_STATUSES = [
  'held',
  'applied',
  'applied_automatically',
  'dismissed',
  'superseded',
] as const;
export type MetadataChangeStatus = (typeof METADATA_CHANGE_STATUSES)[number];

export const METADATA_FIELDS = ['entityId', 'ssoUrl', 'certificates'] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];

/** Why a change waits for approval, or why it was taken over without one. */
export const METADATA_REASONS = [
  'policy_hold',
  'entity_id_changed',
  'sso_url_changed',
  'other_host',
  'no_trusted_certificate',
  'no_room',
  'not_verified',
  'pasted',
  'certificate_added',
  'certificate_withdrawn',
  'certificate_expired',
] as const;
export type MetadataReason = (typeof METADATA_REASONS)[number];

type FieldValue = string | readonly SamlCertificateRecord[] | null;
const VALUE = {
  oneOf: [
    { type: 'string' },
    { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/SamlCertificateRecord' } },
  ],
  nullable: true,
};

export class MetadataFieldRecord {
  @Choice(METADATA_FIELDS, { description: 'The setting that differs' }) field!: MetadataField;
  @ApiProperty({ ...VALUE, description: 'An address, or certificates, before the change' }) before!: FieldValue;
  @ApiProperty({ ...VALUE, description: 'The same after the change' }) after!: FieldValue;
}

/** A difference between what a provider's metadata say and its settings. */
export class MetadataChangeRecord {
  @Uuid() id!: string;
  @Uuid() providerId!: string;
  @Choice(METADATA_CHANGE_STATUSES, { description: 'The outcome' }) status!: MetadataChangeStatus;
  @NestedList(() => MetadataFieldRecord, { maxItems: METADATA_FIELDS.length, description: 'What differs' })
  fields!: MetadataFieldRecord[];
  @Choice(METADATA_REASONS, { description: 'Why it is awaiting approval or was applied' }) reason!: MetadataReason;
  @Instant({ description: 'When the difference was first found' }) detectedAt!: string;
  @Instant({ nullable: true, description: 'When it was applied, dismissed or replaced' }) settledAt!: string | null;
  @Uuid({ nullable: true, description: 'Who applied or dismissed it; null for an automatic change' })
  settledBy!: string | null;
}

export class MetadataChangeResponse {
  @Nested(() => MetadataChangeRecord) data!: MetadataChangeRecord;
}

export class MetadataChangeListResponse {
  @NestedList(() => MetadataChangeRecord, { maxItems: 50 }) data!: MetadataChangeRecord[];
}

export class MetadataRefreshRecord {
  @Flag({ description: 'Whether the metadata differs from the settings' }) changed!: boolean;
  @Nested(() => MetadataChangeRecord, { nullable: true, description: 'The difference, awaiting approval or applied' })
  change!: MetadataChangeRecord | null;
}

export class MetadataRefreshResponse {
  @Nested(() => MetadataRefreshRecord) data!: MetadataRefreshRecord;
}

export const EXPIRY_KINDS = ['certificate', 'client_secret', 'scim_token'] as const;
export type ExpiryKind = (typeof EXPIRY_KINDS)[number];

export class ListExpiriesQuery {
  @WholeInQuery()
  @Whole({ min: 1, max: 365, optional: true, description: 'Days to look ahead; default: 30' })
  withinDays?: number;
  @Uuid({ optional: true }) orgId?: string;
}

const MAX_DAYS = 100_000;

/** The end of the last certificate of a provider, of its client secret or of its SCIM token. */
export class ExpiryRecord {
  @Choice(EXPIRY_KINDS) kind!: ExpiryKind;
  @Uuid() providerId!: string;
  @Text({ max: 255 }) providerName!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid() partnerId!: string;
  @Instant() expiresAt!: string;
  @Whole({ min: 0, max: MAX_DAYS, description: 'Days left, rounded up; 0 once it has expired' }) daysLeft!: number;
}

export class ExpiryListResponse {
  @NestedList(() => ExpiryRecord, { maxItems: 1000 }) data!: ExpiryRecord[];
}

export class SsoSettingsQuery {
  @Uuid({ optional: true, description: 'The organisation; by default that of the session' }) orgId?: string;
  @Choice(OWNER_SCOPES, { optional: true, description: 'partner: the settings of the partner itself' })
  scope?: OwnerScope;
}

const RENEW_LINKS = 'Whether alerts about certificates and secrets carry a link with which the recipient renews them';

export class SsoSettingsDto {
  @Flag({ description: RENEW_LINKS }) renewLinkInAlerts!: boolean;
}

export class SsoSettingsResponse {
  @Nested(() => SsoSettingsDto) data!: SsoSettingsDto;
}

/** An administrator was told that a certificate, a secret or a token of a provider runs out. */
export class SsoProviderExpiry {
  @Uuid() providerId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(EXPIRY_KINDS) kind!: ExpiryKind;
  @Whole({ min: 0, max: MAX_DAYS }) daysLeft!: number;
  @Instant() expiresAt!: string;
}
export const SsoProviderExpiryNoticed = defineEvent('identity.sso_provider.expiry_noticed.v1', SsoProviderExpiry);

/** A provider's metadata differ from its settings, or that difference was settled. */
export class SsoMetadataChange {
  @Uuid() providerId!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Uuid() changeId!: string;
  @Choice(METADATA_CHANGE_STATUSES) status!: MetadataChangeStatus;
  @ChoiceList(METADATA_FIELDS, { maxItems: METADATA_FIELDS.length }) fields!: MetadataField[];
}
export const SsoMetadataChanged = defineEvent('identity.sso_provider.metadata_changed.v1', SsoMetadataChange);
