/**
 * The only definition of a mail address, for every input that contains one: requests, claims of identity providers,
 * imports, settings and operator commands.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

const MIN_ADDRESS = 6;
/** RFC 3696, erratum 1690: 64 for the local part, 255 for the domain, and the `@`. In Unicode code points. */
export const MAX_ADDRESS = 320;
const MAX_DOMAIN = 255;

/**
 * Control, format (bidirectional and zero-width), unpaired surrogate and separator characters, and all others without a
 * visible form.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** RFC 5322 dot-atom, with the characters of RFC 6531: never a quoted local part. */
const LOCAL_PART = /^[^@"(),:;<>[\\\].]+(?:\.[^@"(),:;<>[\\\].]+)*$/u;
const LABEL = '(?!-)[\\p{L}\\p{M}\\p{Nd}-]{1,63}(?<!-)';
/**
 * At least two labels, the last of them alphabetic: `x@localhost`, `x@10.0.0.1` and a trailing dot have no public
 * domain.
 */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?:[\\p{L}\\p{M}]{2,63}|xn--[a-z0-9-]{1,59}(?<!-))$`, 'iu');

/** UTS 46 would make an ASCII letter of these: full-width letters, the Kelvin sign, the long s. */
const isDisguised = (letter: string): boolean =>
  letter > '\x7f' && /^[\x20-\x7e]+$/.test(letter.normalize('NFKC').toLowerCase());
/** The blocks of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** RFC 5893 2.1, which Node's conversion leaves out: no label of a domain with such letters begins with a digit. */
const isBidirectional = (domain: string): boolean => RIGHT_TO_LEFT.test(domain) && /(?:^|\.)\p{Nd}/u.test(domain);

/** @returns the A-label form, or null when Unicode does not read it back as the same domain */
function aLabels(domain: string): string | null {
  const ascii = domainToASCII(domain).toLowerCase();
  const read = domainToUnicode(ascii);
  return ascii && domainToASCII(read) === ascii && !isBidirectional(read) ? ascii : null;
}

/**
 * The one form in which a mail domain is stored and compared (IDY-150): its A-labels by UTS 46, non-transitional, in
 * lower case. Null for a text that is no public domain, and for one that spells ASCII letters in a disguise.
 */
export function mailDomainOf(text: string): string | null {
  const composed = text.normalize('NFC');
  if (text.length > MAX_DOMAIN || !DOMAIN.test(composed) || [...text].some(isDisguised)) return null;
  const isPlain = /^[\x20-\x7e]+$/.test(text) && !/xn--/i.test(text);
  const domain = isPlain ? text.toLowerCase() : aLabels(composed);
  return domain !== null && domain.length <= MAX_DOMAIN && DOMAIN.test(domain) ? domain : null;
}

/**
 * The address with its domain in the form of {@link mailDomainOf} and its local part as it was sent; null for a value
 * that is no address.
 *
 * @param max in Unicode code points, where storage holds fewer than {@link MAX_ADDRESS}
 */
export function mailAddressOf(value: unknown, max = MAX_ADDRESS): string | null {
  if (typeof value !== 'string' || value.length > 2 * max || HIDDEN.test(value)) return null;
  const at = value.lastIndexOf('@');
  const domain = at < 1 ? null : mailDomainOf(value.slice(at + 1));
  if (domain === null || !LOCAL_PART.test(value.slice(0, at))) return null;
  const length = [...value.slice(0, at)].length + 1 + domain.length;
  return length >= MIN_ADDRESS && length <= max ? `${value.slice(0, at)}@${domain}` : null;
}

/** Whether a text is a mail address, in any spelling of its domain. */
export const isMailAddress = (value: unknown, max = MAX_ADDRESS): value is string => mailAddressOf(value, max) !== null;
