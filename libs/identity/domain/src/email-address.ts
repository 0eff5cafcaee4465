import { mailAddressOf, mailDomainOf } from '@gatehouse/contracts-core';

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

/**
 * The form in which accounts, links and offers hold an address: its domain in the one form (IDY-150), its local part in
 * lower case as far as it is ASCII. A malformed address keeps its letters; it is refused elsewhere.
 */
export const foldEmail = (email: string): string => foldAscii(mailAddressOf(email) ?? email);

/** Returns the domain of an address in its one form, or null for a malformed address. */
export function domainOf(email: string): string | null {
  const address = mailAddressOf(email);
  return address && address.slice(address.lastIndexOf('@') + 1);
}

/** @param setting mail domains separated by commas; an empty setting allows all (SSO-16) */
export const domainsIn = (setting: string | null | undefined): string[] =>
  (setting ?? '')
    .split(',')
    .map((domain) => domain.trim())
    .filter(Boolean)
    .map((domain) => mailDomainOf(domain) ?? foldAscii(domain));

/** Compares exact domains, without sub-domains or look-alikes. A non-empty setting that names no domain allows none. */
export function isDomainAllowed(email: string, setting: string | null | undefined): boolean {
  if (!setting) return true;
  const domain = domainOf(email);
  return domain !== null && domainsIn(setting).includes(domain);
}
