import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContractTypes } from './contract-types.mjs';
import { requireSupportedNode } from './supported-node.mjs';

// Runs before anything is installed: node alone, no packages.

export { writeContractTypes };

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..');

const PLATFORMS = ['linux', 'darwin'];
const INSTALLED = 'node_modules/.package-lock.json';
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
 * repository's own are linked here; those of the tests (`devDependencies`) count when `all` are asked for.
 */
export function isInstalled({ all = false } = {}) {
  if (!existsSync(join(REPOSITORY, INSTALLED))) return false;
  const wanted = readJson('package-lock.json').packages;
  const present = readJson(INSTALLED).packages;
  return Object.entries(wanted).every(([path, { version, optional, link, dev, devOptional }]) => {
    if (optional || devOptional || link || !path.startsWith('node_modules/') || (dev && !all)) return true;
    return present[path]?.version === version;
  });
}

/** A shorter step is not worth a line. */
const SOON_MS = 500;
const TELL_MS = 5_000;

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

/** Says what is being done, then how long it took, unless there was nothing to do. */
export async function step(words, work) {
  const began = Date.now();
  const isLong = setTimeout(() => process.stdout.write(`· ${words}\n`), SOON_MS);
  const result = await work();
  clearTimeout(isLong);
  const seconds = (Date.now() - began) / 1000;
  if (seconds * 1000 > SOON_MS) process.stdout.write(`· ${words}: done in ${seconds.toFixed(1)} s\n`);
  return result;
}

/** npm says nothing while it works, so we say how many packages have arrived. */
async function installPackages(all) {
  const lock = Object.entries(readJson('package-lock.json').packages);
  const wanted = lock.filter(
    ([path, { dev, optional }]) => path.startsWith('node_modules/') && !optional && (all || !dev),
  );
  const arrived = () => wanted.filter(([path]) => existsSync(join(REPOSITORY, path, 'package.json'))).length;
  const tell = setInterval(() => process.stdout.write(`· ${arrived()} of ${wanted.length} packages\n`), TELL_MS);
  // `npm ci` empties node_modules first; what is there already may be in use, so only what is missing is added.
  const command = existsSync(join(REPOSITORY, INSTALLED)) ? ['install', '--no-save'] : ['ci'];
  const omitted = all ? ['--include=dev'] : ['--omit=dev'];
  const code = await run('npm', [...command, ...omitted, '--no-audit', '--no-fund', '--prefer-offline']);
  clearInterval(tell);
  if (code !== 0) fail(`Gatehouse cannot start: npm ${command[0]} failed; what it said is above`);
}

/** Installs what is missing: what `npm start` needs, or `all` that the tests and the build need. */
export async function install({ all = false } = {}) {
  useGitHooks();
  if (!isInstalled({ all })) await step('installing packages', () => installPackages(all));
  linkOwnPackages();
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

/** Compiles what has changed; takes a fraction of a second when nothing has. Resolves with the exit code. */
export async function compile(paths = projects()) {
  linkOwnPackages();
  if (paths.includes('.')) await writeContractTypes();
  return run(process.execPath, [COMPILER, '-b', ...paths]);
}

/** From a fresh clone to a built product, with the packages of the tests and the build. */
export async function bootstrap(paths) {
  requireSupportedSystem();
  await install({ all: true });
  const code = await step('building what has changed', () => compile(paths));
  if (code !== 0) fail('Gatehouse cannot start: the build failed; what the compiler said is above');
}
