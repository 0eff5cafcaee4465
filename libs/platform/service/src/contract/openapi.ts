import { type ErrorCode, Problem } from '@gatehouse/contracts-core';
import { applyDecorators, type INestApplication, SetMetadata } from '@nestjs/common';
import { ApiExtension, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PeriodicTasks } from '../periodic.ts';
import { nameLists } from './named-lists.ts';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** OpenAPI 3.1 states "or null" in the type; the generator still uses `nullable` of version 3.0. */
function modernise(_: string, node: Json): Json {
  if (typeof node !== 'object' || node === null || Array.isArray(node) || node['nullable'] !== true) return node;
  const { nullable: _nullable, ...schema } = node;
  if (typeof schema['type'] !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(schema['enum']) && { enum: [...schema['enum'], null] }),
  };
}

type Schemas = Record<string, { additionalProperties?: boolean }>;
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The request bodies of the routes that reject unknown members. */
const closedBodies = (paths: OpenAPIObject['paths']): unknown[] =>
  Object.values(paths)
    .flatMap((path) => Object.values(path as object))
    .filter(isObject)
    .filter((operation) => !(IGNORES_UNKNOWN_EXTENSION in operation))
    .map(({ requestBody }) => requestBody);

/** Marks each object of a closed request, at any depth, as having no further members. */
function close({ components }: OpenAPIObject, bodies: readonly unknown[]): void {
  const schemas = (components?.schemas ?? {}) as Schemas;
  const waiting: unknown[] = [...bodies];
  while (waiting.length > 0) {
    for (const [, name = ''] of (JSON.stringify(waiting.pop()) ?? '').matchAll(REFERENCE)) {
      const schema = schemas[name];
      if (!schema || schema.additionalProperties !== undefined) continue;
      schema.additionalProperties = false;
      waiting.push(schema);
    }
  }
}

const isInternal = (path: string): boolean => path.includes('/internal/');

/** What the decorators of one service say about its public routes; `tools/openapi` makes the contract from it. */
export function describeService(app: INestApplication, name: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`Gatehouse ${name}`)
    .setVersion('1')
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    extraModels: [Problem],
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}.${method}`,
  });
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !isInternal(path)));
  close(document, closedBodies(paths));
  const tasks = app.get(PeriodicTasks, { strict: false }).table();
  const whole = nameLists({ ...document, paths, 'x-periodic-tasks': tasks });
  return JSON.parse(JSON.stringify(whole), modernise) as OpenAPIObject;
}

/** Holds the codes of {@link ApiProblems} until the contract is written. */
export const PROBLEMS_EXTENSION = 'x-problems';

/**
 * The problem codes of a route's own. Those that follow from its access, its body and the limits of every caller are
 * added to the contract without being named (`tools/openapi`).
 */
export const ApiProblems = (...codes: ErrorCode[]): MethodDecorator => ApiExtension(PROBLEMS_EXTENSION, codes);

export const IGNORES_UNKNOWN = 'gatehouse:ignores-unknown';
/** The same exception in the OpenAPI contract. */
export const IGNORES_UNKNOWN_EXTENSION = 'x-ignores-unknown';

/** The clients whose requests may carry unknown members, each with the reason. */
export const SENDERS = {
  agents: 'newer agents meet older servers',
  protocols: "other people's protocols add members of their own",
  browsers: 'providers and mail clients add parameters to the addresses that a browser is sent to',
} as const;

/** Exempts a route from the rule that unknown members and parameters are rejected. */
export const IgnoresUnknown = (sender: keyof typeof SENDERS): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(IGNORES_UNKNOWN, sender), ApiExtension(IGNORES_UNKNOWN_EXTENSION, SENDERS[sender]));
