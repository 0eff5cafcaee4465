import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

export const compiled = (path, source) =>
  compile(source, { ...settings, filename: path, sourceFileName: path, sourceMaps: true, swcrc: false });
