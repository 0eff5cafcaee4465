import type { Schema, Schemas } from './schema.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-access': { readonly kind: string; readonly levels?: readonly string[] };
  readonly 'x-ignores-unknown'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** One operation of the contract, with its references resolved. */
export interface Route {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly levels: readonly string[] | undefined;
  readonly isClosed: boolean;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  /** The media type and schema of the body; null when there is none. */
  readonly body: { readonly type: string; readonly schema: Schema } | null;
  /** The media types of each status, with their schema. */
  readonly responses: ReadonlyMap<number, Readonly<Record<string, { readonly schema: Schema }>>>;
}

export function routesIn({ paths, components }: Contract): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => routeOf(method, path, operation, components)),
  );
}

function routeOf(method: string, path: string, operation: Operation, components: Contract['components']): Route {
  const named = <T extends { $ref?: string }>(kind: Readonly<Record<string, T>>, given: T): T =>
    given.$ref === undefined ? given : (kind[given.$ref.split('/').at(-1) ?? ''] as T);
  const parameters = (operation.parameters ?? []).map((parameter) => named(components.parameters, parameter));
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    kind: operation['x-access'].kind,
    levels: operation['x-access'].levels,
    isClosed: operation['x-ignores-unknown'] === undefined,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    headers: parameters.filter((parameter) => parameter.in === 'header'),
    body: body ? { type: body[0], schema: body[1].schema } : null,
    responses: new Map(
      Object.entries(operation.responses).map(([status, response]) => [
        Number(status),
        named(components.responses, response).content ?? {},
      ]),
    ),
  };
}
