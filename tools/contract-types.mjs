import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Writes what the client and the console know of the API, from the services' contracts: its types for
// `@gatehouse/client`, which only the compiler reads, its table of the criteria of a rule, and for the console who may
// call each operation and the limits of each body. Each is written when a contract has changed:
//   node tools/contract-types.mjs

const REPOSITORY = new URL('../', import.meta.url);
const TARGET = new URL('libs/client/src/contract.ts', REPOSITORY);
const TABLES = new URL('libs/client/src/contract-tables.ts', REPOSITORY);
const GENERATED = new URL('apps/console/src/api/generated/', REPOSITORY);
const CONSOLE_FILES = ['access.ts', 'actions.ts', 'problems.ts', 'limits.ts'].map((name) => new URL(name, GENERATED));
const PREFIX = '/api/v1';
/** Routes that clients of the API do not call. */
const NOT_FOR_CLIENTS = ['agent', 'internal', 'operator'];

/** The contracts' texts. */
function contracts() {
  const apps = readdirSync(new URL('apps/', REPOSITORY));
  const paths = apps.map((app) => new URL(`apps/${app}/openapi.json`, REPOSITORY)).filter((path) => existsSync(path));
  return paths.map((path) => readFileSync(path, 'utf8'));
}

/** The first line of the types made from these contracts by this program. */
function markOf(texts) {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  for (const text of texts) hash.update(text);
  return `// Made by tools/contract-types.mjs from apps/*/openapi.json ${hash.digest('hex')}`;
}

/** The operations of a path that clients call. */
const operationsOf = (methods) =>
  Object.fromEntries(
    Object.entries(methods).filter(([, operation]) => !NOT_FOR_CLIENTS.includes(operation['x-access']?.kind)),
  );

/** One document whose paths are relative to the base address of the API. */
function joined(documents) {
  const components = {};
  const paths = {};
  for (const document of documents) {
    for (const [kind, named] of Object.entries(document.components ?? {}))
      components[kind] = { ...components[kind], ...named };
    for (const [path, methods] of Object.entries(document.paths)) {
      const operations = operationsOf(methods);
      if (path.startsWith(PREFIX) && Object.keys(operations).length > 0) paths[path.slice(PREFIX.length)] = operations;
    }
  }
  return { openapi: '3.1.0', info: { title: 'Gatehouse', version: '1' }, paths, components };
}

const joinedOf = (texts) => joined(texts.map((text) => JSON.parse(text)));

/** Every operation with its name in the console: `POST /pam/rules`. */
const operationsIn = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );

/** The permission and the levels that each operation needs; null for those that need no session. */
function accessOf(document) {
  const entries = operationsIn(document).map(([name, { 'x-access': access }]) => [
    name,
    { permission: access?.permission ?? null, ...(access?.levels && { levels: access.levels }) },
  ]);
  return Object.fromEntries(entries);
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'maxItems'];

function limitsOfSchema({ properties = {}, required = [] }) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const limits = LIMITS.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]);
    return [name, { ...Object.fromEntries(limits), ...(required.includes(name) && { required: true }) }];
  });
  return Object.fromEntries(members.filter(([, limits]) => Object.keys(limits).length > 0));
}

/** The limits of the members of each JSON body. */
function limitsOf(document) {
  const entries = operationsIn(document).flatMap(([name, { requestBody }]) => {
    const reference = requestBody?.content?.['application/json']?.schema?.$ref;
    const schema = document.components.schemas[reference?.split('/').at(-1)];
    return schema ? [[name, limitsOfSchema(schema)]] : [];
  });
  return Object.fromEntries(entries);
}

/** The words of each problem code, as the answers of the operations describe it. */
function problemsOf(document) {
  const answers = [
    ...Object.values(document.components.responses ?? {}),
    ...operationsIn(document).flatMap(([, { responses }]) => Object.values(responses)),
  ];
  const lines = answers.flatMap(({ description = '' }) => [...description.matchAll(/^- `([\w-]+)`: (.+)$/gm)]);
  return Object.fromEntries(lines.map(([, code, words]) => [code, words]));
}

/** The criteria of a rule as `matchNegate` names them, each with the member that holds what it asks for. */
function criteriaOf({ components }) {
  const { properties } = components.schemas.NewRuleDto;
  const memberOf = (name) =>
    Object.keys(properties).find((member) => member.replace(/^match|Id$/g, '').toLowerCase() === name.toLowerCase());
  return Object.fromEntries(properties.matchNegate.items.enum.map((name) => [name, memberOf(name)]));
}

const constant = (name, value) => `export const ${name} = ${JSON.stringify(value, null, 1)} as const;\n`;

function writeForConsole(document, mark) {
  mkdirSync(GENERATED, { recursive: true });
  const operation = 'export type Operation = keyof typeof OPERATIONS;\n';
  const access =
    'export const ACCESS: Readonly<Record<Operation, { permission: string | null; levels?: readonly string[] }>> = OPERATIONS;\n';
  writeFileSync(
    new URL('access.ts', GENERATED),
    `${mark}\n${constant('OPERATIONS', accessOf(document))}${operation}${access}`,
  );
  const actions = document.components.schemas.AuditAction.enum;
  writeFileSync(new URL('actions.ts', GENERATED), `${mark}\n${constant('AUDIT_ACTIONS', actions)}`);
  writeFileSync(new URL('problems.ts', GENERATED), `${mark}\n${constant('PROBLEMS', problemsOf(document))}`);
  writeFileSync(new URL('limits.ts', GENERATED), `${mark}\n${constant('LIMITS', limitsOf(document))}`);
}

const isOf = (mark, file) => existsSync(file) && readFileSync(file, 'utf8').startsWith(mark);

/** Writes what programs of the console and of the client need when they run. */
export function writeContractTables() {
  const texts = contracts();
  const mark = markOf(texts);
  if ([TABLES, ...CONSOLE_FILES].every((file) => isOf(mark, file))) return;
  const document = joinedOf(texts);
  writeForConsole(document, mark);
  writeFileSync(TABLES, `${mark}\n${constant('CRITERIA', criteriaOf(document))}`);
}

async function write() {
  writeContractTables();
  const texts = contracts();
  const mark = markOf(texts);
  if (isOf(mark, TARGET)) return 0;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  writeFileSync(TARGET, `${mark}\n${astToString(await openapiTS(joinedOf(texts)))}`);
  return 0;
}

let underWay;

/** Writes it all, for the compiler, once. Resolves with the exit code. */
export const writeContractTypes = () => (underWay ??= write());

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeContractTypes();
