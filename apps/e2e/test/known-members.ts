import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { readFileSync } from 'node:fs';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

interface Operation {
  readonly 'x-ignores-unknown'?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The members and parameters of a route, by its contract. */
export interface Taken {
  /** `PATCH /users/{id}` */
  readonly route: string;
  /** Whether the route refuses unknown members and parameters. */
  readonly isClosed: boolean;
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Whether the contract states that the body, and every object in it, has no further members. */
  readonly saysSo: boolean;
}

function* objectsIn(
  schema: Schema,
  named: Readonly<Record<string, Schema>>,
  seen = new Set<string>(),
): Generator<Schema> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const target = named[name];
    if (!target || seen.has(name)) continue;
    seen.add(name);
    if (!target.enum) yield target;
    yield* objectsIn(target, named, seen);
  }
}

function takenIn({ paths, components }: Contract): Taken[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [content] = Object.values(operation.requestBody?.content ?? {});
      const objects = content ? [...objectsIn(content.schema, components.schemas ?? {})] : [];
      return {
        route: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        isClosed: operation['x-ignores-unknown'] === undefined,
        query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        body: Object.keys(objects[0]?.properties ?? {}),
        saysSo: objects.every((schema) => schema.additionalProperties === false),
      };
    }),
  );
}

const contractOf = (service: string): Contract =>
  JSON.parse(readFileSync(new URL(`../../${service}/openapi.json`, import.meta.url), 'utf8')) as Contract;

/** Every route of every service. */
export const TAKEN: readonly Taken[] = UPSTREAM_NAMES.map(contractOf).flatMap(takenIn);
const byRoute = new Map(TAKEN.map((taken) => [taken.route, taken]));

export function takenBy(route: string): Taken {
  const taken = byRoute.get(route);
  if (!taken) throw new Error(`the contract has no route ${route}`);
  return taken;
}

/** The given members that the route has. */
export const membersFor = (route: string, body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => takenBy(route).body.includes(name)));
