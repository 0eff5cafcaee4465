import fc from 'fast-check';
import { resolved, type Schema, type Schemas, typesOf } from './schema.ts';

/** Ids of things that exist, which make a request reach further than random ones. */
export type KnownIds = readonly string[];

const MAX_TEXT = 40;
const MAX_LIST = 3;
const MAX_DEPTH = 6;

const instants = fc
  .date({ min: new Date('1999-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const emails = fc.integer({ min: 0, max: 1e9 }).map((number) => `fuzz-${number}@example.test`);
const addresses = fc.constantFrom('https://fuzz.invalid/a', 'https://127.0.0.1/b', 'http://example.test');
const idsOf = (known: KnownIds): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 3 }, { arbitrary: fc.uuid(), weight: 1 });

/** The generator of texts for a pattern knows no lookahead. */
const LOOKAHEAD = /\(\?[=!][^)]*\)/g;

/** Members whose values look like something although the schema calls them texts. */
const texts = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ minLength: 1, maxLength: max }), weight: 4 },
    { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }), weight: 1 },
    {
      arbitrary: fc.constantFrom('x', 'name', 'C:\\Tools\\a.exe', 'example.test').filter((text) => text.length <= max),
      weight: 4,
    },
    { arbitrary: addresses.filter((text) => text.length <= max), weight: 1 },
  );

function textsFor(
  { format, pattern, minLength = 0, maxLength = MAX_TEXT }: Schema,
  known: KnownIds,
): fc.Arbitrary<string> {
  if (format === 'uuid') return idsOf(known);
  if (format === 'date-time') return instants;
  if (format === 'email') return emails;
  if (format === 'uri') return addresses;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern.replaceAll(LOOKAHEAD, '')));
  const max = Math.max(1, Math.min(maxLength, Math.max(MAX_TEXT, minLength)));
  return minLength <= 1 ? texts(max) : fc.string({ minLength, maxLength: max });
}

function objectsFor(schema: Schema, schemas: Schemas, known: KnownIds, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0)
    return fc.dictionary(fc.constantFrom('a', 'matrix'), fc.jsonValue({ maxDepth: 1 }));
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valuesFor(member, schemas, known, depth + 1)]),
  );
  return fc.record(members, { requiredKeys: required.filter((name) => name in members) });
}

type Context = readonly [Schemas, KnownIds, number];

const listsFor = (schema: Schema, [schemas, known, depth]: Context): fc.Arbitrary<unknown> => {
  const { minItems = 0, maxItems = MAX_LIST, items = {} } = schema;
  return fc.array(valuesFor(items, schemas, known, depth + 1), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, MAX_LIST)),
  });
};

const WHOLE = { min: 0, max: 1000, lowest: -(2 ** 31), highest: 2 ** 31 };
const wholeFor = ({ minimum = WHOLE.min, maximum = WHOLE.max }: Schema): fc.Arbitrary<number> =>
  fc.integer({ min: Math.max(minimum, WHOLE.lowest), max: Math.min(maximum, WHOLE.highest) });

const BY_TYPE: Readonly<Record<string, (schema: Schema, context: Context) => fc.Arbitrary<unknown>>> = {
  string: (schema, [, known]) => textsFor(schema, known),
  integer: wholeFor,
  number: () => fc.double({ noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: listsFor,
  object: (schema, [schemas, known, depth]) => objectsFor(schema, schemas, known, depth),
};

/** Values that fit a schema. */
export function valuesFor(given: Schema, schemas: Schemas, known: KnownIds, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(given, schemas);
  if (depth > MAX_DEPTH) return fc.constant({});
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((each) => valuesFor(each, schemas, known, depth + 1)));
  const types = typesOf(schema);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.flatMap((type) => BY_TYPE[type]?.(schema, [schemas, known, depth]) ?? []));
}

/** Texts and JSON that break parsers, comparisons and storage. */
const HOSTILE = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '‮',
  "' OR 1=1 --",
  '../../x',
  '%',
  'a'.repeat(5000),
  [],
  [null],
  [[]],
  {},
  { toString: 1 },
  { a: { b: { c: null } } },
);

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === String(first) ? replaced(item, rest, by) : item));
  return { ...(value as object), [first]: replaced(Reflect.get(value as object, first), rest, by) };
}

/** Values that fit a schema except, often, in one place. */
export const nearlyValuesFor = (schema: Schema, schemas: Schemas, known: KnownIds): fc.Arbitrary<unknown> => {
  const values = valuesFor(schema, schemas, known);
  const broken = fc.tuple(values, fc.nat(), HOSTILE).map(([value, index, hostile]) => {
    const paths = pathsIn(value);
    return replaced(value, paths[index % paths.length] ?? [], hostile);
  });
  const widened = values.map((value) => ({ ...(value as object), unexpectedMember: 1 }));
  return fc.oneof(
    { arbitrary: values, weight: 6 },
    { arbitrary: broken, weight: 3 },
    { arbitrary: widened, weight: 1 },
  );
};

/** What a client may write into an address by mistake or on purpose. */
export const ODD_IDS = fc.constantFrom(
  'x',
  '0',
  'null',
  '%00',
  '%20',
  '..%2f',
  '%E2%80%AE',
  'a'.repeat(90),
  '00000000-0000-0000-0000-000000000000',
);
