import { transform } from '@swc/core';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { transform: transforms } = createRequire(import.meta.url)('../../jest.preset.cjs');
const [, settings] = transforms['^.+\\.ts$'];

/** Lets a worker thread that a test starts run TypeScript sources, compiled as jest compiles them. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    ...settings,
    sourceMaps: false,
    swcrc: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
