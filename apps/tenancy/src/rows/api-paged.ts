import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

const whole = { type: 'integer' } as const;
const PAGINATION = { type: 'object', required: ['page', 'limit', 'total'], properties: { page: whole, limit: whole, total: whole } } as const;

const answering = (type: Type, properties: object, isArray: boolean): MethodDecorator => {
  const item = { $ref: getSchemaPath(type) };
  const data = isArray ? { type: 'array' as const, items: item } : item;
  return applyDecorators(ApiExtraModels(type), ApiOkResponse({ schema: { type: 'object', required: ['data', ...Object.keys(properties)], properties: { data, ...properties } } }));
};

/** The paginated envelope in the OpenAPI document. */
export const ApiPaged = (type: Type): MethodDecorator => answering(type, { pagination: PAGINATION }, true);

/** `{ data: […] }` of a list without pages. */
export const ApiList = (type: Type): MethodDecorator => answering(type, {}, true);

/** `{ data }` around one record. */
export const ApiData = (type: Type): MethodDecorator => answering(type, {}, false);
