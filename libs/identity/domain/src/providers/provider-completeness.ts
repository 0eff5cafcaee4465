import type { SsoProtocol } from '@gatehouse/contracts-identity';

const NEEDED: Readonly<Record<SsoProtocol, readonly string[]>> = {
  oidc: ['issuer', 'clientId', 'clientSecret', 'authorizationUrl', 'tokenUrl', 'jwksUrl'],
  saml: ['entityId', 'ssoUrl', 'certificate'],
};

/** Returns the settings that are still missing before users can sign in through the provider. */
export const missingSettings = (type: SsoProtocol, settings: Readonly<Record<string, unknown>>): string[] =>
  NEEDED[type].filter((name) => !settings[name]);
