export type Values = Record<string, string | number | boolean | null>;

/** One field of a form, as it is declared. */
export interface Field {
  /** The path of the member in the body, as the server's `issues` name it: `membership.roleId`. */
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'area' | 'number' | 'choice' | 'switch' | 'password' | 'date' | 'partner';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The label of "none of them" among choices. */
  readonly none?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** The field from which this one takes a short name for addresses, until it is typed itself. */
  readonly follows?: string;
  /** Whether the field is shown for the present values. */
  readonly when?: (values: Values) => boolean;
}

/** The partner that owns what an operator makes; the input names itself. */
export const PARTNER_FIELD: Field = { name: 'partnerId', label: '', kind: 'partner', required: true };

/** The values in which a form differs from what it began with; an emptied text is null. */
export function changedValues(initial: Values, values: Values): Values {
  const entries = Object.entries(values).filter(([name, value]) => value !== initial[name]);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === '' ? null : value]));
}

/** The values that were filled in. */
export const filledValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null));

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** An instant as a field for date and time shows it, in this zone; empty for no instant. */
export function fieldOf(instant: string | undefined): string {
  if (instant === undefined) return '';
  const at = new Date(instant);
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

export const instantOfField = (value: string): string | undefined =>
  value === '' ? undefined : new Date(value).toISOString();
