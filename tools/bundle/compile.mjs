import { transform } from '@swc/core';
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles TypeScript sources to programs that run without node_modules.

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The tests have them too. */
const SETTINGS = JSON.parse(readFileSync(join(REPOSITORY, 'tools/bundle/swc.json'), 'utf8'));

/** Optional parts of dependencies that the product does not use; each is loaded only when configured. */
const ABSENT = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-express',
  '@fastify/multipart',
  '@fastify/view',
  'pg-native',
];

/** Contains a compiled library for each platform, so it is copied beside the bundle instead of into it. */
export const NATIVE = '@node-rs/argon2';

// Parts written for `require` ask for it, and for their own place, at run time.
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __toPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  "const __filename = __toPath(import.meta.url), __dirname = __toPath(new URL('.', import.meta.url));",
].join(' ');

/** The kinds of programs, as the bundler is told. Only a script can be kept compiled in Node 20 (`load.cjs`). */
const KINDS = {
  module: { format: 'esm', banner: { js: BANNER } },
  script: {
    format: 'cjs',
    banner: { js: `'use strict'; const __url = require('node:url').pathToFileURL(__filename).href;` },
    define: { 'import.meta.url': '__url' },
    // A script that is run through `node:vm` cannot import.
    supported: { 'dynamic-import': false },
  },
};

/** esbuild does not write the types of decorated members, from which requests are validated; swc does. */
const sources = () => {
  const compiled = new Map();
  const compile = async (path) => {
    const { code } = await transform(await readFile(path, 'utf8'), { ...SETTINGS, filename: path, swcrc: false });
    return { contents: code, loader: 'js' };
  };
  return {
    name: 'sources',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!compiled.has(path)) compiled.set(path, compile(path));
        return compiled.get(path);
      }),
  };
};

/**
 * These modules are not written for strict mode, which applies to the whole bundle: `arguments.callee` would end the
 * process when a provider answers with an error.
 */
const strictErrors = {
  name: 'strict errors',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/passport[^/]*\/lib\/errors\/\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('arguments.callee', 'this.constructor'),
    })),
};

/** One byte a character: Node keeps the text of a program in memory, at twice the size with one beyond Latin-1. */
function toAscii(path, text) {
  if (/captureStackTrace\(this,\s*arguments\.callee\)/.test(text))
    throw new Error(`${path} has an error class that cannot be made in strict mode`);
  if (/\\[^\0-\x7f]/.test(text)) throw new Error(`${path} has a backslash before a character beyond ASCII`);
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const plugins = [sources(), strictErrors];

/**
 * Compiles each entry point to one file: `in` is its source, `out` its place below the directory, without ending.
 * @param {'module' | 'script'} kind
 * @param absent packages that are left out
 * @returns the bundler's account of what it wrote; names of files in it are relative to the repository
 */
export async function compilePrograms(kind, entryPoints, directory, absent = []) {
  const { metafile } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints,
    outdir: directory,
    // No splitting: an `import()` of a CommonJS package that became a chunk would lose its named exports.
    bundle: true,
    platform: 'node',
    target: 'node20',
    conditions: ['@gatehouse/source'],
    external: [...ABSENT, ...absent, NATIVE],
    plugins,
    ...KINDS[kind],
    // Class names are names of tables, providers and events, so they are kept even where two modules use the same one.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  for (const path of Object.keys(metafile.outputs).map((output) => join(REPOSITORY, output)))
    writeFileSync(path, toAscii(path, readFileSync(path, 'utf8')));
  return metafile;
}
