import { isMailAddress } from '@gatehouse/contracts-core';

/** SSO-24: the maximum length of an address in an identity link. */
const MAX_LINKED_EMAIL = 255;

/**
 * Folds ASCII letters only: the Kelvin sign also lower-cases to `k`, which would make two different addresses equal.
 */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Tells whether a claim looks like an address and fits into an identity link. A malformed address has no domain; the
 * account decision refuses it, so that a violated domain restriction is reported first.
 */
export const isAddressLike = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_LINKED_EMAIL &&
  value.includes('@') &&
  value.isWellFormed() &&
  !/[\s\p{Cc}]/u.test(value);

/** Returns the domain of an address in lower case, or null for a malformed address. */
export const domainOf = (email: string): string | null =>
  isMailAddress(email) ? foldAscii(email.slice(email.lastIndexOf('@') + 1)) : null;

/** @param setting mail domains separated by commas; an empty setting allows all (SSO-16) */
export const domainsIn = (setting: string | null | undefined): string[] =>
  (setting ?? '')
    .split(',')
    .map((domain) => foldAscii(domain.trim()))
    .filter(Boolean);

/** Compares exact domains, without sub-domains or look-alikes. A non-empty setting that names no domain allows none. */
export function isDomainAllowed(email: string, setting: string | null | undefined): boolean {
  if (!setting) return true;
  const domain = domainOf(email);
  return domain !== null && domainsIn(setting).includes(domain);
}
