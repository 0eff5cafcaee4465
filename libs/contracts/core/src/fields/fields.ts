/**
 * Decorators for DTO fields: each defines validation and OpenAPI schema together, so the document always matches what a
 * route accepts. Fields that hold a text are in `text-fields.ts`.
 */
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { Allow, IsBoolean, IsIn, IsInt, IsObject, IsUUID, isUUID, Max, Min, ValidateNested } from 'class-validator';
import { all, field, type FieldOptions, heldAs, Known, LIST, listOf, type ListOptions, rule, sizeOf } from './field.ts';
import type { DtoClass } from './members.ts';

/**
 * A member that clients send although it has no effect, such as part of an answer sent back. It is not read, and no
 * operation receives it.
 */
export const Unread = (description: string): PropertyDecorator =>
  all(
    Known(),
    Allow(),
    Transform(() => undefined, { toClassOnly: true }),
    ApiProperty({ required: false, anyOf: [{}], description: `Not read: ${description}` }),
  );

const inRange = (value: unknown, { min, max }: { min: number; max: number }): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
const isId = (value: unknown): boolean => isUUID(value, 'all');

const idsInLowerCase = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() : Array.isArray(value) ? value.map(idsInLowerCase) : value;

/**
 * RFC 9562 4: UUIDs are written in lower case and accepted in either case. The code compares ids as texts, whereas
 * PostgreSQL compares values.
 */
const heldInLowerCase = heldAs(idsInLowerCase);

export const Uuid = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'uuid' },
    isId,
    heldInLowerCase,
    IsUUID('all', { message: 'must be a UUID' }),
  );

export const UuidList = (options: ListOptions): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: options.maxItems },
    (value) => listOf(value, options, isId),
    heldInLowerCase,
    LIST,
    ...sizeOf(options),
    IsUUID('all', { each: true, message: 'each must be a UUID' }),
  );

const MAX_NAMES = 1_900;
/** A list that is longer than a message may be is left to the contract. */
const namesOf = (values: readonly string[]): string => {
  const names = values.join(', ');
  return names.length > MAX_NAMES ? `the ${values.length} values that the contract lists` : names;
};

export const Choice = (values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'string', enum: [...values] },
    (value) => values.some((one) => one === value),
    IsIn([...values], { message: `must be one of ${namesOf(values)}` }),
  );

export const ChoiceList = (values: readonly string[], options: ListOptions): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', enum: [...values] }, maxItems: options.maxItems },
    (value) => listOf(value, options, (item) => values.some((one) => one === item)),
    LIST,
    ...sizeOf(options),
    IsIn([...values], { each: true, message: `each must be one of ${namesOf(values)}` }),
  );

/** A strict boolean: `"false"` and 0 are refused. */
export const Flag = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'boolean' },
    (value) => typeof value === 'boolean',
    IsBoolean({ message: 'must be true or false' }),
  );

export const Whole = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    (value) => inRange(value, options),
    IsInt({ message: 'must be a whole number' }),
    Min(options.min, { message: `must be at least ${options.min}` }),
    Max(options.max, { message: `must be at most ${options.max}` }),
  );

export const WholeList = (options: ListOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    {
      type: 'array',
      items: { type: 'integer', minimum: options.min, maximum: options.max },
      maxItems: options.maxItems,
    },
    (value) => listOf(value, options, (item) => inRange(item, options)),
    LIST,
    ...sizeOf(options),
    IsInt({ each: true, message: 'each must be a whole number' }),
    Min(options.min, { each: true, message: `each must be at least ${options.min}` }),
    Max(options.max, { each: true, message: `each must be at most ${options.max}` }),
  );

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Strict ISO-8601 date-time with a zone. 30 February is refused, although `new Date` would make it 1 March. */
export function isInstant(value: unknown): value is string {
  const parts = typeof value === 'string' ? ISO_INSTANT.exec(value) : null;
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  );
}

export const Instant = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    isInstant,
    rule('instant', isInstant, 'must be an ISO-8601 date-time with a zone, such as 2026-01-31T09:30:00.000Z'),
  );

const isJsonObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/**
 * Reads the value from the original object: the copy under validation lacks members with names of built-in object
 * properties, such as `toString`.
 */
const asSent = Transform(({ obj, key }: { obj: object; key: string }): unknown => Reflect.get(obj, key), {
  toClassOnly: true,
});

/**
 * A free-form JSON object (never an array), exactly as it was sent. Depth and NUL are checked for the whole body before
 * validation.
 */
export const JsonObject = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: true },
    isJsonObject,
    asSent,
    rule('plainObject', isJsonObject, 'must be an object'),
  );

// The type is wrapped again below, because the OpenAPI generator recognises a lazy type by the name of its function.
export const Nested = (type: DtoClass, options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: () => type() },
    null,
    Known({ nested: type }),
    IsObject({ message: 'must be an object' }),
    ValidateNested(),
    Type(type),
  );

export const NestedList = (type: DtoClass, options: ListOptions): PropertyDecorator =>
  field(
    options,
    { type: () => type(), isArray: true, maxItems: options.maxItems },
    null,
    Known({ nested: type, isList: true }),
    ...sizeOf(options),
    rule(
      'objects',
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'each must be an object',
      true,
    ),
    ValidateNested({ each: true }),
    Type(type),
  );
