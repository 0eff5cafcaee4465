/** Fields that hold a text. Lengths are counted in code points, as PostgreSQL counts them; no text contains NUL. */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { domainToASCII, domainToUnicode } from 'node:url';
import { field, type FieldOptions, heldAs, LIST, listOf, type ListOptions, rule, sizeOf } from './field.ts';
import type { Form } from './members.ts';

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

/** A text of a search with the domain at its end in the form in which addresses are stored (IDY-150). */
export function withMailDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  return text.slice(0, at) + (mailDomainOf(text.slice(at).trim()) ?? text.slice(at));
}

/** Whether a text is a mail address, in any spelling of its domain. */
export const isMailAddress = (value: unknown, max = MAX_ADDRESS): value is string => mailAddressOf(value, max) !== null;

interface TextOptions extends FieldOptions {
  min?: number;
  max: number;
  pattern?: RegExp;
  patternHint?: string;
  /**
   * Removes blanks and line ends around the text before it is checked and stored. A list of such texts names none
   * twice, in any letter case.
   */
  trim?: boolean;
}
/** Length in Unicode code points. */
export const lengthOf = (text: string): number => [...text].length;

/** A text has at most as many code points as code units, and at least half as many, so most texts need no counting. */
const isShort = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && lengthOf(text) <= max);
const isLong = (text: string, min: number): boolean => min === 0 || text.length >= 2 * min || lengthOf(text) >= min;

const isText = (value: unknown, { min = 0, max, pattern }: TextOptions): boolean =>
  typeof value === 'string' &&
  !value.includes('\0') &&
  value.isWellFormed() &&
  isShort(value, max) &&
  isLong(value.trim(), min) &&
  (!pattern || pattern.test(value));

const textMessage = ({ min = 0, max, patternHint }: TextOptions): string =>
  patternHint ??
  (min > 0 ? `must be a text of ${min} to ${max} characters` : `must be a text of at most ${max} characters`);

/** White space of Unicode, and the invisible characters that come with a text copied from a page. */
const BLANK = /[\s\x85\u200b\u200e\u200f\u2060]/;

/** The text without blanks, no-break blanks and line ends around it (SSO-80). A loop, because `\s+$` is quadratic. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
const asTrimmed = (value: unknown): unknown => (typeof value === 'string' ? trimmed(value) : value);

const textSchema = ({ min = 0, max, pattern }: TextOptions): ApiPropertyOptions => ({
  type: 'string',
  minLength: min,
  maxLength: max,
  ...(pattern && { pattern: pattern.source }),
});

export function Text(options: TextOptions): PropertyDecorator {
  const form: Form = options.trim ? asTrimmed : (value) => value;
  const fits = (value: unknown): boolean => isText(form(value), options);
  return field(
    options,
    textSchema(options),
    fits,
    ...(options.trim ? [heldAs(form)] : []),
    rule('text', fits, textMessage(options)),
  );
}

function pastedField(options: TextOptions, form: Form): PropertyDecorator {
  const hasNoBlank = (value: unknown): boolean => typeof value !== 'string' || !BLANK.test(String(form(value)));
  const isFit = (value: unknown): boolean => isText(form(value), options);
  return field(
    options,
    textSchema(options),
    (value) => isFit(value) && hasNoBlank(value),
    heldAs(form),
    rule('text', isFit, textMessage(options)),
    rule('pasted', hasNoBlank, 'must have no blanks or line ends inside'),
  );
}

/**
 * A value that people copy from another page, such as an id, a secret or an address: blanks and line ends around it
 * are removed, and inside it they are an error (SSO-80).
 */
export const Pasted = (options: TextOptions): PropertyDecorator => pastedField(options, asTrimmed);

/** Apps show the digits of a TOTP code in groups. */
function withoutGroups(value: unknown): unknown {
  const joined = typeof value === 'string' ? [...value].filter((letter) => !BLANK.test(letter)).join('') : value;
  return /^\d+$/.test(String(joined)) ? joined : asTrimmed(value);
}

/** A code that people type or paste: blanks between the digits of a TOTP code are removed (SSO-80). */
export const Code = (options: TextOptions): PropertyDecorator => pastedField(options, withoutGroups);

export function TextList(options: TextOptions & ListOptions): PropertyDecorator {
  const form: Form = (value) => (options.trim && Array.isArray(value) ? value.map(asTrimmed) : value);
  const isUnique = (value: unknown): boolean => {
    if (!options.trim || !Array.isArray(value)) return true;
    return new Set(value.map((text) => String(asTrimmed(text)).toLowerCase())).size === value.length;
  };
  const items: ApiPropertyOptions = { type: 'string', maxLength: options.max };
  return field(
    options,
    {
      type: 'array',
      items,
      maxItems: options.maxItems,
      ...(options.trim && { uniqueItems: true }),
    } as ApiPropertyOptions,
    (value) => listOf(form(value), options, (item) => isText(item, options)) && isUnique(value),
    ...(options.trim ? [heldAs(form)] : []),
    LIST,
    ...sizeOf(options),
    rule('text', (value) => isText(value, options), `each ${textMessage(options)}`, true),
    rule('unique', isUnique, 'must not name anything twice'),
  );
}

/**
 * A mail address: blanks around it are removed, and its domain is held in its one form (IDY-150).
 *
 * @param options.max in code points, where storage holds fewer than {@link MAX_ADDRESS}
 */
export function Email({ max = MAX_ADDRESS, ...options }: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const form: Form = (value) => mailAddressOf(asTrimmed(value), max) ?? value;
  const isAddress = (value: unknown): boolean => mailAddressOf(asTrimmed(value), max) !== null;
  const schema = { type: 'string', format: 'email', maxLength: max } as const;
  return field(options, schema, isAddress, heldAs(form), rule('mailAddress', isAddress, 'must be an e-mail address'));
}
