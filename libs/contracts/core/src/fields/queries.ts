import { Transform } from 'class-transformer';
import { Choice } from './fields.ts';
import { Text, trimmed } from './text-fields.ts';

/** The values of a list in a query: `status=a&status=b`, `status=a,b` and `status=a` are all lists. */
const listed = (value: unknown): unknown => {
  if (value === undefined) return undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]));
};

/** Marks a list of a query: the parameter may be repeated, or hold several values separated by commas. */
export const ListInQuery = (): PropertyDecorator => Transform(({ value }) => listed(value), { toClassOnly: true });

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Marks a flag of a query, where it is the text `true` or `false`. */
export const FlagInQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (FLAGS[value] ?? value) : value), {
    toClassOnly: true,
  });

/** Marks a whole number of a query, where it is a text of digits. */
export const WholeInQuery = (): PropertyDecorator =>
  Transform(
    ({ value }: { value: unknown }) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    { toClassOnly: true },
  );

/** The text that a list is searched for; an empty or blank one is no search. */
export const Search =
  (description?: string): PropertyDecorator =>
  (target, member) => {
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' && !trimmed(value) ? undefined : value), {
      toClassOnly: true,
    })(target, member);
    Text({ max: 255, optional: true, description })(target, member);
  };

/** `sort=field` or, in descending order, `sort=-field`. */
export const Sort = (fields: readonly string[]): PropertyDecorator =>
  Choice(
    fields.flatMap((field) => [field, `-${field}`]),
    { optional: true, description: 'The field to sort by; a leading `-` reverses the order.' },
  );

export interface SortOrder {
  readonly field: string;
  readonly descending: boolean;
}

/** The parsed `sort` of a query, or null without one. */
export const sortOrderOf = (sort: string | undefined): SortOrder | null =>
  sort ? { field: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : null;
