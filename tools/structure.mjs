import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..');
const IMPORT = /\b(?:from |import\()'(\.[^']+)'/g;

/** Paths of the tracked files that match the patterns. */
export const tracked = (...patterns) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter(Boolean);

export const textOf = (path) => readFileSync(join(REPOSITORY, path), 'utf8');

/** TypeScript of the product, without its tests and generated output. */
export const sources = () =>
  tracked('apps/*.ts', 'apps/*.tsx', 'libs/*.ts').filter((path) => /\/src\//.test(path) && !/spec\.tsx?$/.test(path));

/** The feature folder of a file: the first one below `src`, or below `src/features` in the console; else null. */
function featureOf(path) {
  const [project, rest] = path.split('/src/');
  const folders = rest.split('/').slice(0, -1);
  const depth = folders[0] === 'features' ? 2 : 1;
  return folders.length >= depth ? `${project}/src/${folders.slice(0, depth).join('/')}` : null;
}

/** The imports between parts, of which each file is in one, or in none. */
function importsBetween(partOf) {
  const edges = new Map();
  for (const path of sources()) {
    const from = partOf(path);
    for (const [, target] of from === null ? [] : textOf(path).matchAll(IMPORT)) {
      const to = partOf(normalize(join(dirname(path), target)));
      if (to !== null && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return edges;
}

function reachableFrom(start, edges) {
  const reached = new Set();
  const queue = [...(edges.get(start) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    queue.push(...(edges.get(next) ?? []));
  }
  return reached;
}

function inCycles(edges) {
  return [...edges.keys()].filter((part) => reachableFrom(part, edges).has(part)).sort();
}

/** Feature folders that import themselves through others. */
export const foldersInCycles = () => inCycles(importsBetween(featureOf));

/** Files that import themselves through others. */
export const filesInCycles = () => inCycles(importsBetween((path) => path));

/** Files of less than `lines` lines that exactly one other imports. */
export function filesWithOneReader(lines) {
  const readers = new Map();
  for (const read of importsBetween((path) => path).values())
    for (const path of read) readers.set(path, (readers.get(path) ?? 0) + 1);
  return sources().filter((path) => readers.get(path) === 1 && textOf(path).split('\n').length <= lines);
}

/** Applications with more than `max` folders below their `src`, with the number. */
export function crowdedApplications(max) {
  const folders = new Set(sources().flatMap((path) => /^apps\/[^/]+\/src\/[^/]+(?=\/)/.exec(path) ?? []));
  const counts = new Map();
  for (const folder of folders) counts.set(folder.split('/')[1], (counts.get(folder.split('/')[1]) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > max).map(([app, count]) => `${app}: ${count}`);
}

/** Folders of the applications that the README beside them does not name; migrations need no words. */
export function undescribedFolders() {
  const folders = new Set(sources().flatMap((path) => /^apps\/[^/]+\/src\/[^/]+(?=\/)/.exec(path) ?? []));
  return [...folders].filter((folder) => {
    const [, app, name] = /^apps\/([^/]+)\/src\/(.+)$/.exec(folder);
    const readme = textOf(`apps/${app}/README.md`);
    return name !== 'migrations' && !readme.includes(`\`${name}/\``) && !readme.includes(`\`src/${name}`);
  });
}
