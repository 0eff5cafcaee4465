import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areStale } from './contract-types.mjs';
import { requireSupportedNode } from './supported-node.mjs';

// Runs before anything is installed: node alone, no packages.

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..');

const PLATFORMS = ['linux', 'darwin'];
const COMPILER = 'node_modules/typescript7/bin/tsc';

export function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Stops with one line on a system that is not supported. */
export function requireSupportedSystem() {
  requireSupportedNode();
  if (!PLATFORMS.includes(process.platform))
    fail(`Gatehouse runs on Linux and macOS, not on ${process.platform}; on Windows use WSL`);
}

const readJson = (path) => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));

/**
 * Whether node_modules holds what the lockfile asks for. Packages for other systems are optional and do not count; the
 * repository's own are linked by the build.
 */
export function isInstalled() {
  if (!existsSync(join(REPOSITORY, 'node_modules/.package-lock.json'))) return false;
  const wanted = readJson('package-lock.json').packages;
  const present = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    return optional || link || !path.startsWith('node_modules/') || present[path]?.version === version;
  });
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs a command to its end with its output shown; resolves with the exit code. A signal is passed on to the command,
 * which ends first.
 */
export function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: REPOSITORY, stdio: 'inherit' });
    let told = false;
    const passOn = (signal) => {
      told = true;
      child.kill(signal);
    };
    for (const signal of STOP_SIGNALS) process.on(signal, passOn);
    child.once('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => {
      for (const signal of STOP_SIGNALS) process.off(signal, passOn);
      if (told) process.exit(1);
      resolve(code ?? 1);
    });
  });
}

/** Lets git run the hooks in tools/git-hooks, which format and lint staged files and check commit messages. */
function useGitHooks() {
  if (!existsSync(join(REPOSITORY, '.git')) || process.env.CI !== undefined) return;
  spawnSync('git', ['config', 'core.hooksPath', 'tools/git-hooks'], { cwd: REPOSITORY, stdio: 'ignore' });
}

export async function install() {
  useGitHooks();
  if (isInstalled()) return;
  process.stdout.write('· installing packages with npm ci (about a minute)\n');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline']);
  if (code !== 0) fail('Gatehouse cannot start: npm ci failed; what it said is above');
}

/** Every TypeScript project: those that the root lists, the tools, and the console, which is only checked. */
export function projects() {
  const tools = readdirSync(join(REPOSITORY, 'tools')).map((name) => `tools/${name}`);
  return ['.', ...tools.filter((path) => existsSync(join(REPOSITORY, path, 'tsconfig.json'))), 'apps/console'];
}

/** Links packages of this repository that are newer than node_modules, so that they compile before `npm ci`. */
function linkOwnPackages() {
  for (const [path, { link, resolved }] of Object.entries(readJson('package-lock.json').packages)) {
    const place = join(REPOSITORY, path);
    if (link && !existsSync(place)) symlinkSync(relative(dirname(place), join(REPOSITORY, resolved)), place);
  }
}

let typesUnderWay;

/** Writes what is made from the contracts, once, if a contract has changed. Resolves with the exit code. */
export function writeContractTypes() {
  typesUnderWay ??= areStale() ? run(process.execPath, ['tools/contract-types.mjs']) : Promise.resolve(0);
  return typesUnderWay;
}

/** Compiles what has changed; takes a fraction of a second when nothing has. Resolves with the exit code. */
export async function compile(paths = projects()) {
  linkOwnPackages();
  const code = paths.includes('.') ? await writeContractTypes() : 0;
  return code || run(process.execPath, [COMPILER, '-b', ...paths]);
}

/**
 * From a fresh clone to a built product. `alongside` is built at the same time, and its failure stops nothing.
 */
export async function bootstrap(paths, alongside = async () => 0) {
  requireSupportedSystem();
  await install();
  process.stdout.write('· building what has changed\n');
  const began = Date.now();
  const [code, other] = await Promise.all([compile(paths), alongside()]);
  if (code !== 0) fail('Gatehouse cannot start: the build failed; what the compiler said is above');
  if (other !== 0) process.stderr.write('· the console could not be built; what Vite said is above\n');
  process.stdout.write(`· built in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
}
