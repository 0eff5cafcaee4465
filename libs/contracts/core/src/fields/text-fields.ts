/** Fields that hold a text. Lengths are counted in code points, as PostgreSQL counts them; no text contains NUL. */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { mailAddressOf, MAX_ADDRESS } from './email-address.ts';
import { field, type FieldOptions, heldAs, LIST, listOf, type ListOptions, rule } from './field.ts';
import type { Form } from './plain.ts';

interface TextOptions extends FieldOptions {
  min?: number;
  max: number;
  pattern?: RegExp;
  patternHint?: string;
  /** Removes blanks and line ends around the text before it is checked and stored. */
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

export const TextList = (options: TextOptions & ListOptions): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', maxLength: options.max }, maxItems: options.maxItems },
    (value) => listOf(value, options, (item) => isText(item, options)),
    LIST,
    IsArray(),
    ArrayMinSize(options.minItems ?? 0),
    ArrayMaxSize(options.maxItems),
    rule('text', (value) => isText(value, options), `each ${textMessage(options)}`, true),
  );

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
