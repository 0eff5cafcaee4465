import { type DtoClass, type FieldOptions, Known, Text } from '@gatehouse/contracts-core';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsArray, IsTimeZone, ValidateBy, type ValidationArguments } from 'class-validator';

const both =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };

/**
 * Lower-case letters, digits and single hyphens; `me` is refused, because in a path it means the caller's own partner.
 */
export const Slug = (options: FieldOptions = {}): PropertyDecorator =>
  Text({
    ...options,
    min: 1,
    max: 100,
    pattern: /^(?!me$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
    patternHint: 'must be 1 to 100 lower-case letters, digits and hyphens',
  });

/** An IANA zone by name, such as `Europe/Berlin`; offsets like `+01:00` are not zones. */
export const TimeZone = (options: FieldOptions = {}): PropertyDecorator =>
  both(
    Text({ ...options, max: 50, pattern: /^[A-Za-z][A-Za-z0-9_+/-]*$/, patternHint: 'must be an IANA time zone' }),
    IsTimeZone({ message: 'must be an IANA time zone' }),
  );

const isObject = (row: unknown): boolean => typeof row === 'object' && row !== null && !Array.isArray(row);
const firstOther = ({ value }: ValidationArguments): number =>
  Array.isArray(value) ? value.findIndex((row) => !isObject(row)) : 0;

/** Refuses an import with a row that is no object, and names the row (TEN-105). */
export const RowsOfObjects = (): PropertyDecorator =>
  ValidateBy({
    name: 'rowsOfObjects',
    validator: {
      validate: (rows: unknown) => !Array.isArray(rows) || rows.every(isObject),
      defaultMessage: (at) => (at ? `row ${firstOther(at)} must be an object` : 'each row must be an object'),
    },
  });

/** Rows of an import: each is validated by the operation, which reports those that are not valid. */
export const ImportRows = (type: DtoClass, maxItems: number): PropertyDecorator =>
  both(
    ApiProperty({ type: () => type(), isArray: true, maxItems, 'x-reports-invalid-items': true } as ApiPropertyOptions),
    Known({ nested: type, isList: true }),
    IsArray({ message: 'must be a list of rows' }),
  );

/** The highest limit that a partner or organisation can set for a count. */
export const MAX_CAP = 2_147_483_647;
