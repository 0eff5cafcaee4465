import { Choice, Code, Flag, Nested, NestedList, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { SessionModeDto } from './sign-in.dto.ts';

export const SSO_PROTOCOLS = ['oidc', 'saml'] as const;
export type SsoProtocol = (typeof SSO_PROTOCOLS)[number];

export const PROVIDER_STATUSES = ['inactive', 'testing', 'active'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

export const OWNER_SCOPES = ['organization', 'partner'] as const;
export type OwnerScope = (typeof OWNER_SCOPES)[number];

/** The reasons why a sign-in through an identity provider ended at the login page (SSO-50; the others by decision). */
export const LOGIN_ERRORS = [
  'session_expired',
  'domain_not_allowed',
  'user_not_found',
  'default_role_required',
  'no_org_access',
  'sso_error',
  'email_unverified',
  'identity_conflict',
  'provider_changed',
  'invite_required',
  'no_partner_access',
  'link_required',
] as const;
export type LoginError = (typeof LOGIN_ERRORS)[number];

/** The reasons why a signed-in user's identity was not linked; `sso_error` and `session_expired` as at sign-in. */
export const LINK_ERRORS = [
  'email_mismatch',
  'identity_in_use',
  'user_gone',
  'email_unverified',
  'domain_not_allowed',
  'provider_changed',
  'session_expired',
  'sso_error',
] as const;
export type LinkError = (typeof LINK_ERRORS)[number];

@Plain()
/** A code longer than the maximum is a corrupted one. */
export class ExchangeCodeDto extends SessionModeDto {
  @Text({ min: 1, max: 2_000 }) code!: string;
}

export class SsoTokensResponse {
  @Text({ max: 4000 }) accessToken!: string;
  @Text({ max: 200, optional: true, description: 'Absent when it is in the session cookie' }) refreshToken?: string;
  @Whole({ min: 1, max: 86_400 }) expiresInSeconds!: number;
}

export class CheckedProviderRecord {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
}

export class SsoCheckResponse {
  @Flag() ssoEnabled!: boolean;
  @Nested(() => CheckedProviderRecord, { optional: true }) provider?: CheckedProviderRecord;
  @Flag({ optional: true }) enforceSSO?: boolean;
  @Text({ max: 500, optional: true }) loginUrl?: string;
}

export class DiscoverSsoDto {
  @Text({ max: 320, trim: true }) email!: string;
}

export class DiscoveredSsoRecord {
  @Text({ max: 255 }) providerName!: string;
  @Text({ max: 500 }) loginUrl!: string;
  @Flag() enforceSSO!: boolean;
}

export class SsoDiscoveryResponse {
  @Nested(() => DiscoveredSsoRecord, { nullable: true }) sso!: DiscoveredSsoRecord | null;
}

export class LinkOptionRecord {
  @Uuid() providerId!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @Flag() linked!: boolean;
  @Text({ max: 255, nullable: true }) email!: string | null;
}

export class LinkOptionsResponse {
  @NestedList(() => LinkOptionRecord, { maxItems: 100 }) data!: LinkOptionRecord[];
}

export class LinkStartedResponse {
  @Text({ max: 4000 }) authUrl!: string;
}

export class ConfirmLinkDto extends SessionModeDto {
  @Text({ min: 1, max: 128 }) password!: string;
  @Code({ max: 64, optional: true, description: 'The second factor, when the account has one' }) code?: string;
}
