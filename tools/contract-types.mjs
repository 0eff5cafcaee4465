import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Writes the types of the API, of which `@gatehouse/client` is made, from the services' contracts. The compiler needs
// them, so `compile` (tools/bootstrap.mjs) runs this before it whenever a contract has changed:
//   node tools/contract-types.mjs

const REPOSITORY = new URL('../', import.meta.url);
const TARGET = new URL('libs/client/src/contract.ts', REPOSITORY);
const PREFIX = '/api/v1';
/** Routes that clients of the API do not call. */
const NOT_FOR_CLIENTS = ['agent', 'internal'];

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

/** Whether the types are missing or of other contracts. */
export const areStale = () => !existsSync(TARGET) || !readFileSync(TARGET, 'utf8').startsWith(markOf(contracts()));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const texts = contracts();
  const types = astToString(await openapiTS(joined(texts.map((text) => JSON.parse(text)))));
  writeFileSync(TARGET, `${markOf(texts)}\n${types}`);
}
