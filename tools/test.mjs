import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBrowser } from './browser.mjs';
import { compile, install, REPOSITORY, requireSupportedSystem, run } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';
import { runJourneys } from './journeys.mjs';

const results = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
const node = (...args) => run(process.execPath, args);
const reportOf = (ring) => join(results, `${ring}.json`);
const jest = (ring, ...others) =>
  node(
    'tools/jest.mjs',
    '--selectProjects',
    ring,
    ...others,
    '--passWithNoTests',
    '--json',
    '--outputFile',
    reportOf(ring),
    '--testLocationInResults=false',
  );

/**
 * The end-to-end tests run the programs of the images: what is tested is what ships, and it starts in half the time.
 */
function bundle() {
  const programs = join(results, 'programs');
  process.env.GATEHOUSE_PROGRAMS = programs;
  return node('tools/bundle/bundle.mjs', programs);
}

/** The journeys in a browser, through the same programs. */
function journeys() {
  process.env.GATEHOUSE_JOURNEYS_REPORT = reportOf('journeys');
  return runJourneys('--project', 'journeys');
}

/** Steps of one row run at the same time: lint and format keep one core busy each. */
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
    ['unit tests', () => jest('unit', 'console'), 'unit'],
  ],
  [['integration tests', () => jest('integration'), 'integration']],
  [['build', () => compile()]],
  [
    ['contracts', () => node('tools/openapi/dist/main.js', '--check')],
    ['tables of the services', () => node('tools/service-docs/dist/main.js', '--check')],
    ['programs of the images', bundle],
  ],
  [['end-to-end tests', () => jest('e2e'), 'e2e']],
  [['journeys of the console', journeys, 'journeys']],
];

/** Tests that passed and failed in one run; a suite that could not run counts as one failed test. */
function countOf(ring) {
  if (!existsSync(reportOf(ring))) return { passed: 0, failed: 0 };
  const report = JSON.parse(readFileSync(reportOf(ring), 'utf8'));
  if (report.stats) return { passed: report.stats.expected, failed: report.stats.unexpected + report.stats.flaky };
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
}

async function runStep([name, work, ring], totals) {
  process.stdout.write(`\n=== ${name}\n`);
  const began = Date.now();
  const code = await work();
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(`=== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  const { passed, failed } = ring === undefined ? { passed: 0, failed: 0 } : countOf(ring);
  totals.passed += passed;
  totals.failed += failed;
  // A step that fails without a failed test (types, lint, the set-up of jest) counts as one failed test.
  if (code !== 0 && failed === 0) totals.failed += 1;
}

requireSupportedSystem();
process.chdir(REPOSITORY);
await install();
provideBrowser();
const totals = { passed: 0, failed: 0 };
for (const row of STEPS) await Promise.all(row.map((step) => runStep(step, totals)));
rmSync(results, { recursive: true, force: true });
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
