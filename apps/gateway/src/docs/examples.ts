import { API_PREFIX } from '@gatehouse/contracts-core';

/** A request and its answer, as the end-to-end tests recorded them. */
export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
type Schemas = Readonly<Record<string, Schema>>;

interface Content {
  schema: Schema;
  example?: unknown;
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

const JSON_TYPE = 'application/json';
const MAX_DEPTH = 6;
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '01900000-0000-7000-8000-000000000001',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

function sampleOfObject({ properties = {} }: Schema, schemas: Schemas, depth: number): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, sampleOf(member, schemas, depth + 1)]),
  );
}

const textOf = ({ format = '', minLength = 0 }: Schema): string => FORMATS[format] ?? 'text'.padEnd(minLength, 'x');

const sampleOfList = ({ items }: Schema, schemas: Schemas, depth: number): unknown[] =>
  depth < MAX_DEPTH && items ? [sampleOf(items, schemas, depth + 1)] : [];

const wholeOf = ({ minimum = 1 }: Schema): number => minimum;

const SAMPLES: Readonly<Record<string, (schema: Schema, schemas: Schemas, depth: number) => unknown>> = {
  string: textOf,
  integer: wholeOf,
  number: wholeOf,
  boolean: () => true,
  null: () => null,
  array: sampleOfList,
  object: sampleOfObject,
};

const sampleOfType = (schema: Schema, schemas: Schemas, depth: number): unknown => {
  const [type = ''] = [schema.type ?? 'object'].flat();
  return SAMPLES[type]?.(schema, schemas, depth);
};

function sampleOfParts({ allOf, anyOf, oneOf }: Schema, schemas: Schemas, depth: number): unknown {
  if (allOf) return Object.assign({}, ...allOf.map((each) => sampleOf(each, schemas, depth))) as object;
  const [choice] = anyOf ?? oneOf ?? [];
  return choice && sampleOf(choice, schemas, depth);
}

/** A value that a schema describes, the same at every start. */
function sampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { $ref } = schema;
  if ($ref !== undefined) return sampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth);
  const given = schema.const ?? schema.enum?.[0];
  return given ?? sampleOfParts(schema, schemas, depth) ?? sampleOfType(schema, schemas, depth);
}

/** Gives every operation an example of success: the recorded one, or else a sample of its schema. */
export function addExamples(
  paths: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, unknown>>,
  recorded: Readonly<Record<string, Example>>,
): void {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const example = recorded[`${method.toUpperCase()} ${path.replace(API_PREFIX, '')}`];
      addExample(operation, schemas as Schemas, example);
    }
}

function addExample({ requestBody, responses }: Operation, schemas: Schemas, recorded: Example | undefined): void {
  const taken = requestBody?.content[JSON_TYPE];
  if (taken && recorded?.request !== undefined) taken.example = recorded.request;
  for (const [status, { content }] of Object.entries(responses)) {
    const given = content?.[JSON_TYPE];
    const isRecorded = recorded?.status === Number(status);
    if (given) given.example = isRecorded ? recorded.answer : sampleOf(given.schema, schemas);
  }
}
