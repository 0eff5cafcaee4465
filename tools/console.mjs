import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { REPOSITORY, run } from './bootstrap.mjs';
import { writeContractTables } from './contract-types.mjs';

// Builds the console, unless its sources are those of the last build:
//   node tools/console.mjs

const CONSOLE = join(REPOSITORY, 'apps/console');
export const CONSOLE_BUILD = join(CONSOLE, 'dist');
/** A build that fails leaves the last one in its place. */
const NEXT = join(CONSOLE, 'dist-next');
/** Names the sources of the build beside it. */
export const MARK = '.sources';
const VITE = 'node_modules/vite/bin/vite.js';
const QUIETLY = ['--logLevel', 'warn'];
const SOURCES = [
  ...['index.html', 'package.json', 'vite.config.ts', 'public', 'src'].map((name) => join(CONSOLE, name)),
  ...['libs/client/src', 'package-lock.json', 'tools/console.mjs'].map((name) => join(REPOSITORY, name)),
];
/** Tests, and types that only the compiler reads. */
const NOT_BUILT = /\.spec\.tsx?$|client\/src\/contract\.ts$/;
/** Files worth compressing; below this size the headers outweigh the gain. */
const COMPRESSIBLE = /\.(?:js|css|svg|json)$/;
const MIN_BYTES = 1_024;

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());

const filesOf = (path) => (!existsSync(path) ? [] : statSync(path).isFile() ? [path] : filesIn(path));

/** One line that changes with every source of the console. */
function markOfSources() {
  const hash = createHash('sha256');
  const paths = SOURCES.flatMap(filesOf).filter((path) => !NOT_BUILT.test(path));
  for (const path of paths.sort()) hash.update(`${relative(REPOSITORY, path)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function isBuilt() {
  const mark = join(CONSOLE_BUILD, MARK);
  return existsSync(mark) && readFileSync(mark, 'utf8') === markOfSources();
}

const compressors = [
  ['.br', (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })],
  ['.gz', (body) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION })],
];

/** The gateway serves these instead of compressing each answer. */
async function compress() {
  const files = filesIn(NEXT).filter((path) => COMPRESSIBLE.test(path) && statSync(path).size >= MIN_BYTES);
  await Promise.all(
    files.flatMap((path) =>
      compressors.map(async ([suffix, work]) => writeFileSync(path + suffix, await work(readFileSync(path)))),
    ),
  );
}

/** Builds what has changed; takes milliseconds when nothing has. Resolves with the exit code. */
export async function buildConsole() {
  if (!existsSync(join(CONSOLE, 'index.html'))) return 0;
  writeContractTables();
  if (isBuilt()) return 0;
  const mark = markOfSources();
  const code = await run(process.execPath, [VITE, 'build', CONSOLE, '--outDir', NEXT, '--emptyOutDir', ...QUIETLY]);
  if (code !== 0) return code;
  await compress();
  writeFileSync(join(NEXT, MARK), mark);
  rmSync(CONSOLE_BUILD, { recursive: true, force: true });
  renameSync(NEXT, CONSOLE_BUILD);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await buildConsole());
