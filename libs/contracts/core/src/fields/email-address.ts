/**
 * The only definition of a mail address, for every input that contains one: requests, claims of identity providers,
 * imports, settings and operator commands.
 */
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

const lengthIn = (text: string): number => [...text].length;

/**
 * Refuses a domain in an alternative spelling (full-width letters, the Kelvin sign), which a comparison would treat as
 * a different domain.
 */
const isDomain = (text: string): boolean =>
  text.length <= MAX_DOMAIN && DOMAIN.test(text) && text === text.normalize('NFKC');

/** @param max in Unicode code points, where storage holds fewer than {@link MAX_ADDRESS} */
export function isMailAddress(value: unknown, max = MAX_ADDRESS): value is string {
  if (typeof value !== 'string' || value.length > 2 * max || HIDDEN.test(value)) return false;
  const at = value.lastIndexOf('@');
  const length = lengthIn(value);
  if (at < 1 || length < MIN_ADDRESS || length > max) return false;
  return LOCAL_PART.test(value.slice(0, at)) && isDomain(value.slice(at + 1));
}
