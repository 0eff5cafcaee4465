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

const DATA_URI = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const MAX_URL = 2_000;
/** Characters that RFC 3986 does not allow in an address and that could break a page. */
const NOT_IN_URL = /[\s"<>\\`]/;

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** The leading bytes of each image type, which are checked whatever the data URI claims. */
const SIGNATURES: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
};

function isAddress(value: string): boolean {
  if (value.length > MAX_URL || NOT_IN_URL.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && !username && !password;
}

/** SSO-49: accepts an https address, which only browsers fetch, or a PNG, JPEG or WebP image in base64. */
export function isLogo(value: string): boolean {
  const [, kind, base64] = DATA_URI.exec(value) ?? [];
  return kind && base64 ? (SIGNATURES[kind]?.(Buffer.from(base64, 'base64')) ?? false) : isAddress(value);
}

const MAX_PATH = 500;
/** Never resolved: only its origin is compared. */
const HERE = 'https://here.invalid';

const hasOddCharacter = (text: string): boolean =>
  [...text].some((character) => character <= ' ' || character === '\\' || character === '\u007f');

/**
 * Returns the path on our own host to which the browser returns after sign-in; anything else becomes `/`. Browsers
 * treat `/\host`, `//host` and paths that normalise to either as another host, and drop tabs and line feeds.
 */
export function redirectPath(wanted: unknown): string {
  if (
    typeof wanted !== 'string' ||
    !wanted.startsWith('/') ||
    wanted.length > MAX_PATH ||
    hasOddCharacter(wanted) ||
    !URL.canParse(wanted, HERE)
  )
    return '/';
  const url = new URL(wanted, HERE);
  const path = `${url.pathname}${url.search}`;
  return url.origin === HERE && !path.startsWith('//') && path.length <= MAX_PATH ? path : '/';
}

/** SSO-11. The cookie's path is the callback of its protocol, the only route that reads it. */
export const STATE_COOKIE = 'svc_sso_state';
export const STATE_COOKIE_SECONDS = 600;
/** Separates these signatures from every other use of the key. */
export const STATE_PURPOSE = 'sso-state-cookie';

const FORM = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export const stateCookieValue = (state: string, mac: string): string => `${state}.${mac}`;

/** Splits a well-formed cookie into state and signature; the key ring verifies the signature. */
export function parseStateCookie(value: string | undefined): { readonly state: string; readonly mac: string } | null {
  const [, state, mac] = FORM.exec(value ?? '') ?? [];
  return state && mac ? { state, mac } : null;
}
