import { isMailAddress } from '@gatehouse/contracts-core';

/** SSO-24: what a link can hold of an address. */
const MAX_LINKED_EMAIL = 255;

/** `k` has a non-ASCII upper case (the Kelvin sign): only ASCII is folded, so that no two addresses melt into one. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * A claim that was meant as an address, and fits an identity link. One that is none has no domain, and is refused with
 * the
 * account decision: a setting that allows some domains only is named first.
 */
export const isAddressLike = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_LINKED_EMAIL &&
  value.includes('@') &&
  value.isWellFormed() &&
  !/[\s\p{Cc}]/u.test(value);

/** The domain of an address, folded; null for what is no address. */
export const domainOf = (email: string): string | null =>
  isMailAddress(email) ? foldAscii(email.slice(email.lastIndexOf('@') + 1)) : null;

/** @param setting e-mail domains parted by commas; empty means all (SSO-16) */
export const domainsIn = (setting: string | null | undefined): string[] =>
  (setting ?? '')
    .split(',')
    .map((domain) => foldAscii(domain.trim()))
    .filter(Boolean);

/** Exact domains only: neither sub-domains nor look-alikes. A setting without a single domain in it allows none. */
export function isDomainAllowed(email: string, setting: string | null | undefined): boolean {
  if (!setting) return true;
  const domain = domainOf(email);
  return domain !== null && domainsIn(setting).includes(domain);
}
