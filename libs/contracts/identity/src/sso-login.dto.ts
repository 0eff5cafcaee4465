import { Choice, Code, Flag, Nested, NestedList, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { SessionModeDto } from './sign-in.dto.ts';
import { SSO_PROTOCOLS, type SsoProtocol } from './sso-vocabulary.ts';

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
