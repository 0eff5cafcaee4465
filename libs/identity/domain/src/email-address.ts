const MAX_EMAIL = 255;
const SIMPLE = /^[^@"]+@([^@"]+)$/;

/** `k` has a non-ASCII upper case (the Kelvin sign): only ASCII is folded, so that no two addresses melt into one. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A claim that can be an address at all: a text of sane length without blanks and control characters. */
export const isAddressLike = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_EMAIL && value.includes('@') && ![...value].some((character) => character <= ' ' || character === '\u007f');

/** The domain of a plain address, folded; null for quoted or repeated @ forms, whose domain is a matter of opinion. */
export function domainOf(email: string): string | null {
  const [, domain] = SIMPLE.exec(email) ?? [];
  return domain ? foldAscii(domain) : null;
}

/** @param setting e-mail domains parted by commas; empty means all (SSO spec, "SSO provider") */
export const domainsIn = (setting: string | null | undefined): string[] => (setting ?? '').split(',').map((domain) => foldAscii(domain.trim())).filter(Boolean);

/** Exact domains only: neither sub-domains nor look-alikes. */
export function isDomainAllowed(email: string, setting: string | null | undefined): boolean {
  const allowed = domainsIn(setting);
  if (allowed.length === 0) return true;
  const domain = domainOf(email);
  return domain !== null && allowed.includes(domain);
}
