import { Choice, Flag, Nested, NestedList, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { SSO_PROTOCOLS, type SsoProtocol } from './sso-vocabulary.ts';

@Plain()
/** A code that is too long to be one is a corrupted one. */
export class ExchangeCodeDto {
  @Text({ min: 1, max: 2_000 }) code!: string;
}

export class SsoTokensDto {
  @Text({ max: 4000 }) accessToken!: string;
  @Text({ max: 200 }) refreshToken!: string;
  @Whole({ min: 1, max: 86_400 }) expiresInSeconds!: number;
}

export class CheckedProviderDto {
  @Uuid() id!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
}

export class SsoCheckDto {
  @Flag() ssoEnabled!: boolean;
  @Nested(() => CheckedProviderDto, { optional: true }) provider?: CheckedProviderDto;
  @Flag({ optional: true }) enforceSSO?: boolean;
  @Text({ max: 500, optional: true }) loginUrl?: string;
}

export class DiscoverSsoDto {
  @Text({ max: 320 }) email!: string;
}

export class DiscoveredSsoDto {
  @Text({ max: 255 }) providerName!: string;
  @Text({ max: 500 }) loginUrl!: string;
  @Flag() enforceSSO!: boolean;
}

export class SsoDiscoveryDto {
  @Nested(() => DiscoveredSsoDto, { nullable: true }) sso!: DiscoveredSsoDto | null;
}

export class LinkOptionDto {
  @Uuid() providerId!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(SSO_PROTOCOLS) type!: SsoProtocol;
  @Flag() linked!: boolean;
  @Text({ max: 255, nullable: true }) email!: string | null;
}

export class LinkOptionsDto {
  @NestedList(() => LinkOptionDto, { maxItems: 100 }) data!: LinkOptionDto[];
}

export class LinkStartedDto {
  @Text({ max: 4000 }) authUrl!: string;
}

export class ConfirmLinkDto {
  @Text({ min: 1, max: 128 }) password!: string;
  @Text({ max: 64, optional: true, description: 'The second factor, when the account has one' }) code?: string;
}
