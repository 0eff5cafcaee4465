/** What every field decorator is made of: its validation, its fast check and its OpenAPI schema. */
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateBy, ValidateIf } from 'class-validator';
import { type Check, type Form, type Member, noteCheck, noteForm, noteMember } from './members.ts';

export interface FieldOptions {
  /** The member may be left out. */
  optional?: boolean;
  /** Null is valid: in a PATCH it clears the member. */
  nullable?: boolean;
  description?: string;
}

export interface ListOptions extends FieldOptions {
  minItems?: number;
  maxItems: number;
}

export const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };

/** Converts a value to its canonical form before it is checked, in both ways of validation. */
export const heldAs =
  (form: Form): PropertyDecorator =>
  (target, key) => {
    noteForm(target, String(key), form);
    Transform(({ value }) => form(value), { toClassOnly: true })(target, key);
  };

/** Declares a field that uses no decorator of this file, so that a closed request accepts it. */
export const Known =
  (member: Member = {}): PropertyDecorator =>
  (target, key) =>
    noteMember(target, String(key), member);

export const LIST = Known({ isList: true });

/** @param check a fast equivalent of the rules; null where only the rules can decide */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  check: Check | null,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const { optional = false, nullable = false, description } = options;
  const isAbsent = (value: unknown): boolean => (optional && value === undefined) || (nullable && value === null);
  const absent = ValidateIf((_, value) => !isAbsent(value));
  const noted: PropertyDecorator = (target, key) =>
    noteCheck(target, String(key), check && ((value) => isAbsent(value) || check(value)));
  return all(
    Known(),
    noted,
    ApiProperty({
      ...schema,
      required: !optional,
      ...(nullable && { nullable }),
      ...(description && { description }),
    } as ApiPropertyOptions),
    absent,
    ...rules,
  );
}

export const rule = (
  name: string,
  test: (value: unknown) => boolean,
  message: string,
  each = false,
): PropertyDecorator => ValidateBy({ name, validator: { validate: test, defaultMessage: () => message } }, { each });

/** Rules for the length of a list. */
export const sizeOf = ({ minItems = 0, maxItems }: ListOptions): PropertyDecorator[] => [
  IsArray({ message: 'must be a list' }),
  ArrayMinSize(minItems, { message: `must hold at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}` }),
  ArrayMaxSize(maxItems, { message: `must hold at most ${maxItems} entries` }),
];

export const listOf = (value: unknown, { minItems = 0, maxItems }: ListOptions, fits: Check): boolean =>
  Array.isArray(value) && value.length >= minItems && value.length <= maxItems && value.every(fits);
