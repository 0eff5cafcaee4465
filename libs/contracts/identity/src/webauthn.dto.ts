import { Choice, Instant, JsonObject, NestedList, Text, TextList, Uuid } from '@gatehouse/contracts-core';
import { SessionModeDto, TokensResponse } from './sign-in.dto.ts';

const TOKEN_MAX = 256;
export const FACTOR_KINDS = ['totp', 'webauthn'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

export class WebauthnRegistrationDto {
  @JsonObject({ description: 'The browser’s PublicKeyCredential in JSON (WebAuthn 3, RegistrationResponseJSON)' })
  response!: Record<string, unknown>;
  @Text({ optional: true, min: 1, max: 100, trim: true }) name?: string;
}

export class WebauthnSignInDto {
  @Text({ min: 1, max: TOKEN_MAX }) mfaToken!: string;
}

export class WebauthnSignInVerifyDto extends SessionModeDto {
  @Text({ min: 1, max: TOKEN_MAX }) mfaToken!: string;
  @JsonObject({ description: 'The browser’s PublicKeyCredential in JSON (WebAuthn 3, AuthenticationResponseJSON)' })
  response!: Record<string, unknown>;
}

export class WebauthnStepUpDto {
  @JsonObject({ description: 'The browser’s PublicKeyCredential in JSON (WebAuthn 3, AuthenticationResponseJSON)' })
  response!: Record<string, unknown>;
}

export class FactorEnrolledResponse extends TokensResponse {
  @Uuid() factorId!: string;
  @TextList({
    max: 20,
    maxItems: 10,
    nullable: true,
    description: 'With the first factor only; shown only once, each code works once',
  })
  recoveryCodes!: string[] | null;
}

export class FactorRecord {
  @Uuid() id!: string;
  @Choice(FACTOR_KINDS) kind!: FactorKind;
  @Text({ max: 100 }) name!: string;
  @Instant() createdAt!: string;
  @Instant({ nullable: true }) lastUsedAt!: string | null;
}

export class FactorListResponse {
  @NestedList(() => FactorRecord, { maxItems: 100 }) data!: FactorRecord[];
}

export class RecoveryCodesResponse {
  @TextList({ max: 20, maxItems: 10 }) recoveryCodes!: string[];
}
