import type { Access } from '@gatehouse/auth';
import type { ErrorCode } from '@gatehouse/contracts-core';

/** The parts of an OpenAPI 3.1 document that this tool reads and writes. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Reference {
  $ref: string;
}

export interface Response {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, { schema: Schema; [member: string]: unknown }>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
  'x-access': Access;
  'x-problems'?: ErrorCode[];
  [extension: string]: unknown;
}

export interface Contract {
  openapi: string;
  info: Record<string, unknown>;
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> };
}

/** One operation with its address. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const routesOf = ({ paths }: Contract): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
