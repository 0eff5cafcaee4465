import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const execute = promisify(execFile);

const namedInDeploy = (): string | undefined =>
  readFileSync(join(REPOSITORY, 'deploy/previous-release'), 'utf8')
    .split('\n')
    .find((line) => line !== '' && !line.startsWith('#'));

/**
 * @param named a tag or a commit; the one that `deploy/previous-release` names when absent
 * @returns its commit, or null where the history is not available: in a shallow clone, or without git
 */
export function previousRevision(named = namedInDeploy()): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${named}^{commit}`], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

/** Directories of all projects in a checkout, by the patterns of its package.json. */
function projectsOf(checkout: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { workspaces: string[] };
  const parents = workspaces.map((pattern) => join(checkout, dirname(pattern)));
  return parents
    .filter(existsSync)
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
    .filter((directory) => existsSync(join(directory, 'package.json')));
}

/** Links the packages installed here, and the product's own packages of the checkout. */
function linkPackages(checkout: string): void {
  const [from, to] = [join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules')];
  mkdirSync(join(to, '@gatehouse'), { recursive: true });
  for (const name of readdirSync(from).filter((entry) => entry !== '@gatehouse'))
    symlinkSync(join(from, name), join(to, name));
  for (const project of projectsOf(checkout)) {
    const { name } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { name: string };
    symlinkSync(relative(dirname(join(to, name)), project), join(to, name));
  }
}

/** Later runs use what was built, as long as they have the same packages. */
const KEPT = join(REPOSITORY, '.stack/previous');

function placeOf(revision: string): string {
  const packages = createHash('sha256')
    .update(readFileSync(join(REPOSITORY, 'package-lock.json')))
    .digest('hex');
  return join(KEPT, `${revision}-${packages.slice(0, 12)}`);
}

/**
 * Checks an earlier revision out and builds its services and its demonstration, unless that has been done.
 * @returns the directory
 * @throws the error output of git or the compiler
 */
export async function buildRelease(revision: string): Promise<string> {
  const place = placeOf(revision);
  if (existsSync(place)) return place;
  rmSync(KEPT, { recursive: true, force: true });
  const checkout = `${place}-draft`;
  mkdirSync(checkout, { recursive: true });
  await execute('sh', ['-c', `git archive "$1" | tar -x -C "$2"`, 'sh', revision, checkout], { cwd: REPOSITORY });
  linkPackages(checkout);
  const services = readdirSync(join(checkout, 'apps'))
    .map((name) => join('apps', name))
    .filter((path) => existsSync(join(checkout, path, 'src/main.ts')));
  const compiler = join(REPOSITORY, 'node_modules/typescript7/bin/tsc');
  await execute(process.execPath, [compiler, '-b', ...services, 'tools/demo'], { cwd: checkout });
  renameSync(checkout, place);
  return place;
}
