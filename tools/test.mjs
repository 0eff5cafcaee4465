import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, install, REPOSITORY, requireSupportedSystem, run, writeContractTypes } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { runBrowserJourneys, runJest } from './rings.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-programs-'));
const TELL_EVERY_MS = 15_000;
/** What needs no server yields to the tests on servers, which have deadlines. */
const NICE = ['nice', '-n', '10'];
const node = (...args) => run(NICE[0], [...NICE.slice(1), process.execPath, ...args]);
/** Tests on real servers spend a third of their time waiting: three at a time keep two cores busy. */
const onServers = (ring, ...suites) => runJest(ring, [ring], { workers: 3, suites });
/** Each restarts fourteen processes under load. Beside each other they starve, and take four times as long. */
const RESTARTS = 'key-rotation|rolling-restart|version-skew';

const has = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0;

/** The browsers of the tests of pages, which `findBrowser` explains, by the packages that bring them. */
const BROWSERS = { chromium: ['chromium-browser', 'google-chrome'], 'chromium-headless-shell': [] };

/**
 * Installs the browsers from the distribution's packages, if root. Without any, the tests of the pages are skipped with
 * a message.
 */
function provideBrowsers() {
  const missing = Object.entries(BROWSERS).filter(([name, others]) => ![name, ...others].some(has));
  if (process.env['CHROMIUM_PATH'] || missing.length === 0) return;
  if (process.platform !== 'linux' || process.getuid() !== 0 || !has('apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const get = (...words) => spawnSync('apt-get', [...words, '-qq'], { stdio: 'ignore', env }).status === 0;
  get('update');
  for (const [name] of missing) {
    process.stdout.write(`installing ${name} for the tests of the pages\n`);
    if (!get('install', '-y', '--no-install-recommends', name))
      process.stdout.write(`${name} could not be installed\n`);
  }
}

/**
 * The end-to-end tests run the programs of the images: what is tested is what ships, and it starts in half the time.
 */
function bundle() {
  const programs = join(temporary, 'programs');
  process.env.GATEHOUSE_PROGRAMS = programs;
  return node('tools/bundle/bundle.mjs', '--quiet', programs);
}

const PRETTIER = ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '.'];
const TSC = 'node_modules/typescript7/bin/tsc';

/** One command after the other, until one fails. */
const commands = (...all) => ({
  alone: all.map((words) => `node ${words.join(' ')}`).join(' && '),
  work: () => all.reduce(async (code, words) => (await code) || node(...words), Promise.resolve(0)),
});

/**
 * A step runs once the steps that it `needs` have passed and those that it comes `after` have ended. The tests on real
 * servers run one ring after the other, whatever needs no server beside the first of them. A step resolves with its
 * exit code, or with the results of its tests.
 */
const STEPS = {
  'integration tests': { work: async () => (await writeContractTypes()) || onServers('integration') },
  build: { alone: 'npm run build', work: async () => (await compile()) || buildConsole() },
  'programs of the images': { needs: ['build'], alone: 'node tools/bundle/bundle.mjs', work: bundle },
  contracts: { needs: ['programs of the images'], ...commands(['tools/openapi/dist/main.js', '--check']) },
  'tables of the services': {
    needs: ['build'],
    after: ['contracts'],
    ...commands(['tools/service-docs/dist/main.js', '--check']),
  },
  'type check': {
    needs: ['build'],
    after: ['tables of the services'],
    ...commands([TSC, '-p', 'tsconfig.tests.json', '--noEmit'], [TSC, '-p', 'apps/console-e2e']),
  },
  'unit tests': {
    needs: ['build'],
    after: ['type check'],
    work: () => runJest('unit', ['unit', 'console'], { workers: 2, nice: NICE }),
  },
  format: { after: ['type check'], ...commands(PRETTIER) },
  lint: { after: ['format'], ...commands(['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']) },
  'end-to-end tests': {
    needs: ['programs of the images'],
    after: ['integration tests', 'unit tests', 'lint'],
    work: () => onServers('e2e', '--testPathIgnorePatterns', RESTARTS),
  },
  'restarts under load': {
    needs: ['programs of the images'],
    after: ['end-to-end tests'],
    work: () => runJest('restarts', ['e2e'], { workers: 1, suites: ['--testPathPatterns', RESTARTS] }),
  },
  'journeys of the console': {
    needs: ['programs of the images'],
    after: ['restarts under load'],
    work: runBrowserJourneys,
  },
};

/** The line of the kernel about this process; macOS has none. */
const STAT = '/proc/self/stat';
const TICKS_A_SECOND = 100;

/** Seconds of CPU of the commands that have ended, with all that they started. */
function cpuOfEnded() {
  if (!existsSync(STAT)) return NaN;
  const [user, system] = readFileSync(STAT, 'utf8').split(') ')[1].split(' ').slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}

/** A row of the table at the end for each step. What commands beside it took counts when they end. */
const rows = [];
let cpuBefore = 0;
function note(name, began) {
  const cpu = cpuOfEnded();
  const figure = (number) => (Number.isNaN(number) ? '–' : number.toFixed(0)).padStart(8);
  rows.push(`${name.padEnd(26)}${figure((Date.now() - began) / 1000)}${figure(cpu - cpuBefore)}`);
  cpuBefore = cpu;
}

const totals = { passed: 0, failed: 0, unstable: [], failures: [] };
const running = new Map();
const ended = new Map();
const seconds = (since) => ((Date.now() - since) / 1000).toFixed(0);

function tell() {
  const steps = [...running].map(([name, began]) => `${name} for ${seconds(began)} s`);
  process.stdout.write(`· ${ended.size} of ${Object.keys(STEPS).length} steps have ended; ${steps.join(', ')}\n`);
}

/** Whether it passed. */
async function runStep(name, { work, alone = 'npm test' }) {
  process.stdout.write(`\n=== ${name}\n`);
  const began = Date.now();
  running.set(name, began);
  const result = await work();
  running.delete(name);
  note(name, began);
  const tests =
    typeof result === 'number' ? { code: result, passed: 0, failed: 0, unstable: [], failures: [] } : result;
  const isPassed = tests.code === 0;
  process.stdout.write(`=== ${name}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds(began)} s\n`);
  totals.passed += tests.passed;
  // A step that fails without a failed test (types, lint, the set-up of jest) counts as one failed test.
  totals.failed += isPassed ? tests.failed : Math.max(1, tests.failed);
  totals.unstable.push(...tests.unstable);
  totals.failures.push(...tests.failures);
  if (!isPassed && tests.failures.length === 0) totals.failures.push({ file: name, tests: [], command: alone });
  return isPassed;
}

/** Runs a step in its turn; a step without what it needs fails. */
async function inTurn(name, { needs = [], after = [], ...step }) {
  await Promise.all([...needs, ...after].map((other) => turns.get(other)));
  const lacking = needs.find((other) => !ended.get(other));
  if (lacking) process.stdout.write(`\n=== ${name}: not run, because this failed: ${lacking}\n`);
  ended.set(name, !lacking && (await runStep(name, step)));
}

const began = Date.now();
// A developer's machine leaves out what has passed and not changed since.
if (process.env.CI === undefined && !process.argv.includes('--all')) process.env.GATEHOUSE_SKIP = '1';
requireSupportedSystem();
process.chdir(REPOSITORY);
await install({ all: true });
provideBrowsers();
const timer = setInterval(tell, TELL_EVERY_MS);
const turns = new Map();
for (const [name, step] of Object.entries(STEPS)) turns.set(name, inTurn(name, step));
await Promise.all(turns.values());
clearInterval(timer);
rmSync(temporary, { recursive: true, force: true });
cpuBefore = 0;
note('all', began);
process.stdout.write(`\n${'seconds'.padEnd(26)}    wall     CPU\n${rows.join('\n')}\n`);
for (const suite of totals.unstable)
  process.stdout.write(`\nUNSTABLE: ${suite} failed, and passed when it ran again: repair it\n`);
for (const { file, tests, command } of totals.failures)
  process.stdout.write(`\nFAILED: ${file}\n${tests.map((title) => `  ${title}\n`).join('')}  alone: ${command}\n`);
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
