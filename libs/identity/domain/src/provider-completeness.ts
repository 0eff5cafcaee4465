import type { SsoProtocol } from '@gatehouse/contracts-identity';

const NEEDED: Readonly<Record<SsoProtocol, readonly string[]>> = {
  oidc: ['issuer', 'clientId', 'clientSecret', 'authorizationUrl', 'tokenUrl', 'jwksUrl'],
  saml: ['entityId', 'ssoUrl', 'certificate'],
};

/** The settings that a provider still lacks before anybody can sign in through it. */
export const missingSettings = (type: SsoProtocol, settings: Readonly<Record<string, unknown>>): string[] =>
  NEEDED[type].filter((name) => !settings[name]);
