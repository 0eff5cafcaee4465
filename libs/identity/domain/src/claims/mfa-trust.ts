/**
 * SSO-25: the provider asserts a second factor only when its ID token has an `amr` list that contains `mfa`, and only
 * when the provider is trusted for it.
 */
export const assertsMfa = (trustsIdpMfa: boolean, amr: unknown): boolean =>
  trustsIdpMfa && Array.isArray(amr) && amr.includes('mfa');
