import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, run } from './bootstrap.mjs';

// Bundles the services for `npm start`, as the images have them: they start sooner and need less memory.

const OUTPUT = '.stack/programs';
/** A bundling that fails leaves the last programs in their place. */
const NEXT = '.stack/programs-next';
/** Names the build that was bundled, beside its programs. */
const MARK = `${OUTPUT}/.build`;
/** What the compiler and the console write with each output. */
const OUTPUT_MARK = /^(?!.*node_modules).*\/dist\/\.(?:tsbuildinfo|sources)$/;
const ADDED = /^(?:[^/]+\/openapi\.json|gateway\/pages\/.*)$/;

const at = (path) => join(REPOSITORY, path);
const filesIn = (directory, wanted) =>
  readdirSync(at(directory), { recursive: true })
    .filter((name) => wanted.test(name))
    .map((name) => `${directory}/${name}`);

/** One line that changes with everything that is bundled. */
function markOfBuild() {
  const files = [
    'package-lock.json',
    ...filesIn('apps', OUTPUT_MARK),
    ...filesIn('libs', OUTPUT_MARK),
    ...filesIn('apps', ADDED),
    ...filesIn('tools/bundle', /\.mjs$/),
  ];
  const times = files.sort().map((path) => `${path} ${statSync(at(path)).mtimeMs}`);
  return createHash('sha256').update(times.join('\n')).digest('hex');
}

/** Bundles what has changed; takes milliseconds when nothing has. @returns the directory, or null when it failed */
export async function bundlePrograms() {
  const mark = markOfBuild();
  if (existsSync(at(MARK)) && readFileSync(at(MARK), 'utf8') === mark) return at(OUTPUT);
  const began = Date.now();
  rmSync(at(NEXT), { recursive: true, force: true });
  if ((await run(process.execPath, ['tools/bundle/bundle.mjs', '--quiet', at(NEXT)])) !== 0) return null;
  writeFileSync(join(at(NEXT), '.build'), mark);
  rmSync(at(OUTPUT), { recursive: true, force: true });
  renameSync(at(NEXT), at(OUTPUT));
  process.stdout.write(`· bundled the services in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
  return at(OUTPUT);
}
