import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform as compile, version } from '@swc/core';

const preset = createRequire(import.meta.url)('../../jest.preset.cjs');
const [, settings] = preset.transform['^.+\\.ts$'];

export const CACHE = join(import.meta.dirname, '../../node_modules/.cache/gatehouse-tests');
const COMPILED_BY = JSON.stringify([version, settings]);

/** Where the compiled text of a source and its map lie. */
export function compiledPlace(path, source) {
  const digest = createHash('sha256').update(COMPILED_BY).update(path).update(source).digest('hex');
  return { code: join(CACHE, `${digest}.mjs`), map: join(CACHE, `${digest}.map`) };
}

const compiled = (path, source) =>
  compile(source, { ...settings, filename: path, sourceFileName: path, sourceMaps: true, swcrc: false });

mkdirSync(CACHE, { recursive: true });

/** Another process may compile the same file at the same time. */
function writeWhole(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

async function textOf(path) {
  const source = await readFile(path, 'utf8');
  const place = compiledPlace(path, source);
  const known = await readFile(place.code, 'utf8').catch(() => null);
  if (known !== null) return known;
  const { code, map } = await compiled(path, source);
  writeWhole(place.map, map);
  writeWhole(place.code, code);
  return code;
}

/** Names the run of a suite in the addresses of its modules. */
const RUN = /\?run=\d+$/;
const OF_TESTS = /\/test\/.*\.ts$/;
const GLOBALS = '@jest/globals';

/**
 * The harness files that a suite imports are its own, as the suite is: each run of a suite gets fresh ones. All other
 * modules are loaded once for all suites of a worker.
 */
export async function resolve(specifier, context, next) {
  const run = RUN.exec(context.parentURL ?? '')?.[0];
  if (specifier === GLOBALS) return { url: `gatehouse:globals${run ?? ''}`, shortCircuit: true };
  const resolved = await next(specifier, context);
  return run && specifier.startsWith('.') && OF_TESTS.test(resolved.url)
    ? { ...resolved, url: `${resolved.url}${run}` }
    : resolved;
}

const GLOBAL_NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];
const GLOBALS_SOURCE = `export const { ${GLOBAL_NAMES.join(', ')} } = globalThis[Symbol.for('gatehouse.suite')];`;

/** Lets node run TypeScript sources, compiled as jest compiles them, outside of jest's sandbox. */
export async function load(url, context, next) {
  if (url.startsWith('gatehouse:globals')) return { format: 'module', source: GLOBALS_SOURCE, shortCircuit: true };
  const address = url.replace(RUN, '');
  if (!address.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await textOf(fileURLToPath(address)), shortCircuit: true };
}
