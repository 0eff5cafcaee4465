import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

const OK = 200;
const whole = { type: 'integer' } as const;
const PAGINATION = {
  type: 'object',
  required: ['page', 'limit', 'total'],
  properties: { page: whole, limit: whole, total: whole },
} as const;

type Properties = Record<string, object>;
const one = (type: Type): object => ({ $ref: getSchemaPath(type) });
const many = (type: Type): object => ({ type: 'array', items: one(type) });

const answering = (types: Type[], properties: Properties, status = OK, more = {}): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(...types),
    ApiResponse({ ...more, status, schema: { type: 'object', required: Object.keys(properties), properties } }),
  );

/** The paginated envelope in the OpenAPI document. */
export const ApiPaged = (type: Type): MethodDecorator =>
  answering([type], { data: many(type), pagination: PAGINATION });

/** `{ data: […] }` of a list without pages. */
export const ApiList = (type: Type): MethodDecorator => answering([type], { data: many(type) });

/** `{ data }` around one record. @param more such as the headers of the answer */
export const ApiData = (type: Type, status = OK, more = {}): MethodDecorator =>
  answering([type], { data: one(type) }, status, more);

/** Lists by name: the outcome of an import. */
export const ApiLists = (lists: Record<string, Type>): MethodDecorator =>
  answering(Object.values(lists), Object.fromEntries(Object.entries(lists).map(([name, type]) => [name, many(type)])));
