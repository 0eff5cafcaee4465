import type { FieldValue } from '../queries.ts';

type Value = FieldValue['value'];
export type FieldType = FieldValue['type'];

/** The texts of the inputs, by the key of the field. */
export type FieldTexts = Readonly<Record<string, string>>;
/** Values by the key of the field; null clears one. */
export type ChangedValues = Record<string, string | number | boolean | null>;

const DAY_LENGTH = 10;

/** The text with which the input of a field begins. */
export function textOf(type: FieldType, value: Value): string {
  if (value === null) return '';
  // A date may be stored with a time; the input knows days.
  return type === 'date' ? String(value).slice(0, DAY_LENGTH) : String(value);
}

export const textsOf = (values: readonly FieldValue[]): FieldTexts =>
  Object.fromEntries(values.map(({ fieldKey, type, value }) => [fieldKey, textOf(type, value)]));

/** What an input means; a number that cannot be read is sent as it stands, and the server says what is wrong. */
function valueOf(type: FieldType, text: string): string | number | boolean | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'boolean') return trimmed === 'true';
  if (type !== 'number') return type === 'text' ? text : trimmed;
  const number = Number(trimmed.replace(',', '.'));
  return Number.isFinite(number) ? number : trimmed;
}

/** The values of the inputs that differ from what they began with. */
export function changesOf(values: readonly FieldValue[], texts: FieldTexts): ChangedValues {
  const before = textsOf(values);
  const changed = values.filter(({ fieldKey }) => texts[fieldKey] !== before[fieldKey]);
  return Object.fromEntries(changed.map(({ fieldKey, type }) => [fieldKey, valueOf(type, texts[fieldKey] ?? '')]));
}
