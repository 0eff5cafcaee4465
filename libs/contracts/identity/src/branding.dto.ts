import { Nested, Text } from '@gatehouse/contracts-core';
import { DiscoveredSsoRecord } from './sso-login.dto.ts';

const MAX_LOGO_CHARACTERS = 512 * 1024;

/** SSO-49: a member that is left out is cleared. */
export class LoginBrandingDto {
  @Text({ max: MAX_LOGO_CHARACTERS, optional: true, nullable: true }) logoUrl?: string | null;
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

export class LoginBrandingResponse {
  @Nested(() => LoginBrandingDto, { nullable: true }) data!: LoginBrandingDto | null;
}

export class LoginContextResponse {
  @Nested(() => LoginBrandingDto, { nullable: true }) branding!: LoginBrandingDto | null;
  @Nested(() => DiscoveredSsoRecord, { nullable: true }) partnerSso!: DiscoveredSsoRecord | null;
}
