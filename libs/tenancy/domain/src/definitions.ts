import { type CustomFieldType, SEVERITIES } from '@gatehouse/contracts-tenancy';
import { foldName, isInstant, lengthOf } from '@gatehouse/contracts-core';

export type FieldValue = string | number | boolean;

interface FieldShape {
  readonly type: CustomFieldType;
  readonly options: readonly string[];
}

const MAX_TEXT = 5000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const isDay = (text: string): boolean => DAY.test(text) && isInstant(`${text}T00:00:00Z`);

const KINDS: Readonly<Record<CustomFieldType, (value: unknown, options: readonly string[]) => value is FieldValue>> = {
  text: (value): value is string => typeof value === 'string' && lengthOf(value) <= MAX_TEXT,
  number: (value): value is number => typeof value === 'number' && Number.isFinite(value),
  boolean: (value): value is boolean => typeof value === 'boolean',
  dropdown: (value, options): value is string => typeof value === 'string' && options.includes(value),
  date: (value): value is string => typeof value === 'string' && (isDay(value) || isInstant(value)),
};

/** The option that a text names: itself, or the only one that is the same under folding (TEN-100). */
function optionOf(options: readonly string[], text: string): string {
  if (options.includes(text)) return text;
  const folded = foldName(text);
  const [option, another] = options.filter((one) => foldName(one) === folded);
  return option !== undefined && another === undefined ? option : text;
}

/** The value as the field stores it; null if the field cannot hold it. */
export function storedValue({ type, options }: FieldShape, value: unknown): FieldValue | null {
  const stored = type === 'dropdown' && typeof value === 'string' ? optionOf(options, value) : value;
  return KINDS[type](stored, options) ? stored : null;
}

/** Other systems export everything as text, so text that reads as a number or a boolean is converted. */
export function readImported(field: FieldShape, raw: unknown): FieldValue | null {
  return storedValue(field, typeof raw === 'string' ? fromText(field.type, raw) : raw);
}

function fromText(type: CustomFieldType, text: string): unknown {
  const trimmed = text.trim();
  if (type === 'number') return trimmed === '' ? null : Number(trimmed);
  if (type === 'boolean') return { true: true, false: false, yes: true, no: false, 1: true, 0: false }[foldName(text)];
  return type === 'text' ? text : trimmed;
}

const MAX_KEY = 100;

/** Letters of other scripts become their codes, so that fields of different names get different keys. */
const inAscii = (letter: string): string =>
  /(?!\p{Script=Latin})[\p{L}\p{N}]/u.test(letter) ? (letter.codePointAt(0) ?? 0).toString(16) : ' ';

/** Derives a field key from a name: `Asset Tag #` becomes `asset_tag`. */
export function fieldKeyOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\P{ASCII}/gu, inAscii)
      .match(/[a-z0-9]+/g)
      ?.join('_') ?? '';
  const key = /^[a-z]/.test(words) ? words : `field_${words}`;
  return key.slice(0, MAX_KEY).replace(/_+$/, '');
}

const EXIT_CODE = /^-?[1-9]\d{0,9}$/;
const isSeverity = (value: unknown): boolean => SEVERITIES.some((severity) => severity === value);

/** The first entry that is not `exit code: severity`, or null. Exit code 0 means success and has no severity. */
export const faultyExitCode = (mapping: Readonly<Record<string, unknown>>): string | null =>
  Object.entries(mapping).find(([code, severity]) => !EXIT_CODE.test(code) || !isSeverity(severity))?.[0] ?? null;
