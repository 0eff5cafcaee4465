/**
 * SSO-25: only an ID token whose `amr` is a list with `mfa` in it counts, and only when the
 * provider is trusted for it.
 */
export const assertsMfa = (trustsIdpMfa: boolean, amr: unknown): boolean =>
  trustsIdpMfa && Array.isArray(amr) && amr.includes('mfa');
