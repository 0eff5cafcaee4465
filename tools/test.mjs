import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBrowser } from './browser.mjs';
import { compile, install, REPOSITORY, requireSupportedSystem, run } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { runBrowserJourneys, runJest } from './rings.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-programs-'));
const node = (...args) => run(process.execPath, args);
/** Tests on real servers spend a third of their time waiting: three at a time keep two cores busy. */
const onServers = (ring) => runJest(ring, [ring], ['--maxWorkers=3']);

/**
 * The end-to-end tests run the programs of the images: what is tested is what ships, and it starts in half the time.
 */
function bundle() {
  const programs = join(temporary, 'programs');
  process.env.GATEHOUSE_PROGRAMS = programs;
  return node('tools/bundle/bundle.mjs', programs);
}

/**
 * Steps of one row run at the same time: lint and format keep one core busy each. A step resolves with its exit code,
 * or with the results of its tests.
 */
const STEPS = [
  [
    [
      'type check',
      async () =>
        (await compile()) ||
        (await buildConsole()) ||
        (await node('node_modules/typescript7/bin/tsc', '-p', 'tsconfig.tests.json', '--noEmit')) ||
        node('node_modules/typescript7/bin/tsc', '-p', 'apps/console-e2e'),
    ],
  ],
  [
    ['format', () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
    ['lint', () => node('node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0')],
    ['unit tests', () => runJest('unit', ['unit', 'console'])],
  ],
  [['integration tests', () => onServers('integration')]],
  [['build', () => compile()]],
  [
    ['contracts', () => node('tools/openapi/dist/main.js', '--check')],
    ['tables of the services', () => node('tools/service-docs/dist/main.js', '--check')],
    ['programs of the images', bundle],
  ],
  [['end-to-end tests', () => onServers('e2e')]],
  [['journeys of the console', runBrowserJourneys]],
];

async function runStep([name, work], totals) {
  process.stdout.write(`\n=== ${name}\n`);
  const began = Date.now();
  const result = await work();
  const { code, passed, failed, unstable } =
    typeof result === 'number' ? { code: result, passed: 0, failed: 0, unstable: [] } : result;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(`=== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  totals.passed += passed;
  // A step that fails without a failed test (types, lint, the set-up of jest) counts as one failed test.
  totals.failed += code === 0 ? failed : Math.max(1, failed);
  totals.unstable.push(...unstable);
}

requireSupportedSystem();
process.chdir(REPOSITORY);
await install();
provideBrowser();
const totals = { passed: 0, failed: 0, unstable: [] };
for (const row of STEPS) await Promise.all(row.map((step) => runStep(step, totals)));
rmSync(temporary, { recursive: true, force: true });
for (const suite of totals.unstable)
  process.stdout.write(`\nUNSTABLE: ${suite} failed, and passed when it ran again: repair it\n`);
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
