import { Nested, Text, Unread, Whole } from '@gatehouse/contracts-core';
import { DiscoveredSsoRecord } from './sso-login.dto.ts';

const MAX_LOGO_CHARACTERS = 512 * 1024;

/** SSO-49: a member that is left out is cleared. */
export class LoginBrandingDto {
  @Text({ max: MAX_LOGO_CHARACTERS, optional: true, nullable: true, trim: true }) logoUrl?: string | null;
  @Text({
    max: 7,
    optional: true,
    nullable: true,
    pattern: /^#[0-9a-fA-F]{6}$/,
    patternHint: 'must be a colour such as #1a2b3c',
  })
  accentColor?: string | null;
  @Text({ max: 120, optional: true, nullable: true }) headline?: string | null;
}

export class ReplaceLoginBrandingDto extends LoginBrandingDto {
  @Unread('the record may be sent back whole') version?: unknown;
}

export class LoginBrandingRecord extends LoginBrandingDto {
  @Whole({ min: 1, max: 2_147_483_647 }) version!: number;
}

export class LoginBrandingResponse {
  @Nested(() => LoginBrandingRecord, { nullable: true }) data!: LoginBrandingRecord | null;
}

export class LoginContextResponse {
  @Nested(() => LoginBrandingDto, { nullable: true }) branding!: LoginBrandingDto | null;
  @Nested(() => DiscoveredSsoRecord, { nullable: true }) partnerSso!: DiscoveredSsoRecord | null;
}
