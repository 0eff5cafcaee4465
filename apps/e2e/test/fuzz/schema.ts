/** A JSON schema, as the contract uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Items that do not fit are reported in the answer. */
  readonly 'x-reports-invalid-items'?: boolean;
}

export type Schemas = Readonly<Record<string, Schema>>;

export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = schemas[name];
  if (!target) throw new Error(`the contract has no schema ${name}`);
  return target;
}

export const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  email: /^\S+@\S+$/,
  uri: /^[a-z][a-z0-9+.-]*:/i,
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

type Fault = string;
const at = (path: string, name: string | number): string => `${path}/${name}`;

function* faultsOfText(value: string, { pattern, format, minLength = 0, maxLength }: Schema): Generator<Fault> {
  const length = [...value].length;
  if (length < minLength || length > (maxLength ?? length)) yield `has ${length} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) yield `does not match ${pattern}`;
  if (format !== undefined && FORMATS[format]?.test(value) === false) yield `is no ${format}`;
}

function* faultsOfNumber(value: number, { minimum, maximum }: Schema): Generator<Fault> {
  if (value < (minimum ?? value) || value > (maximum ?? value)) yield `is out of range`;
}

function* faultsOfList(value: unknown[], schema: Schema, schemas: Schemas, path: string): Generator<Fault> {
  const { minItems = 0, maxItems = value.length, items } = schema;
  if (value.length < minItems || value.length > maxItems) yield `${path} has ${value.length} items`;
  if (schema['x-reports-invalid-items']) return;
  if (items) for (const [index, item] of value.entries()) yield* faultsOf(item, items, schemas, at(path, index));
}

function* faultsOfObject(value: object, schema: Schema, schemas: Schemas, path: string): Generator<Fault> {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${path} lacks ${name}`;
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) yield* faultsOf(member, known, schemas, at(path, name));
    else if (additionalProperties === false) yield `${path} has ${name}, which is not known`;
    else if (typeof additionalProperties === 'object')
      yield* faultsOf(member, additionalProperties, schemas, at(path, name));
  }
}

function* faultsOfValue(value: unknown, schema: Schema, schemas: Schemas, path: string): Generator<Fault> {
  if (typeof value === 'string') for (const fault of faultsOfText(value, schema)) yield `${path} ${fault}`;
  else if (typeof value === 'number') for (const fault of faultsOfNumber(value, schema)) yield `${path} ${fault}`;
  else if (Array.isArray(value)) yield* faultsOfList(value, schema, schemas, path);
  else if (typeof value === 'object' && value !== null) yield* faultsOfObject(value, schema, schemas, path);
}

function* faultsOfKind(value: unknown, schema: Schema, path: string): Generator<Fault> {
  const types = typesOf(schema);
  const shown = JSON.stringify(value)?.slice(0, 100);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    yield `${path} is ${shown}, not ${types.join(' or ')}`;
  if (schema.enum && !schema.enum.includes(value)) yield `${path} is ${shown}, not one of the list`;
  if (schema.const !== undefined && schema.const !== value) yield `${path} is not ${JSON.stringify(schema.const)}`;
}

/** Why a value does not fit a schema. */
export function* faultsOf(value: unknown, given: Schema, schemas: Schemas, path = ''): Generator<Fault> {
  const schema = resolved(given, schemas);
  for (const each of schema.allOf ?? []) yield* faultsOf(value, each, schemas, path);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !choices.some((each) => faultsOf(value, each, schemas, path).next().done))
    yield `${path} fits none of the choices`;
  yield* faultsOfKind(value, schema, path);
  yield* faultsOfValue(value, schema, schemas, path);
}
