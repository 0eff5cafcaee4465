import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { REPOSITORY, run } from './bootstrap.mjs';
import { runJourneys } from './journeys.mjs';

// Runs one ring of tests and counts its results. A suite that fails runs once more, alone: a test on real servers may
// miss its deadline on a busy machine. The run then passes but names the suite, so that its test is repaired.

/** More failed suites than these are not an accident of timing: none of them runs again. */
const SUITES_RUN_AGAIN = 3;

/**
 * @typedef {object} Result
 * @property {number} code the exit code
 * @property {number} passed tests
 * @property {number} failed tests; a suite that could not run counts as one
 * @property {string[]} unstable what failed first and passed when it ran again
 */

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const reportAt = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

async function jest(name, args) {
  const file = join(folder, `${name}.json`);
  const output = ['--passWithNoTests', '--json', '--outputFile', file, '--testLocationInResults=false'];
  const code = await run(process.execPath, ['tools/jest.mjs', ...args, ...output]);
  return { code, report: reportAt(file) };
}

const countOf = (report) =>
  report
    ? { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites }
    : { passed: 0, failed: 0 };

/**
 * @param {string} name of the ring
 * @param {string[]} projects of jest that belong to it
 * @param {string[]} args of jest
 * @returns {Promise<Result>}
 */
export async function runJest(name, projects = [name], args = []) {
  const selected = ['--selectProjects', ...projects];
  const { code, report } = await jest(name, [...selected, ...args]);
  const counted = { code, ...countOf(report), unstable: [] };
  const suites = (report?.testResults ?? []).filter(({ status }) => status === 'failed').map((suite) => suite.name);
  if (suites.length === 0 || suites.length > SUITES_RUN_AGAIN) return counted;

  const unstable = suites.map((suite) => relative(REPOSITORY, suite));
  process.stdout.write(`\n=== once more, alone: ${unstable.join(', ')}\n`);
  const again = await jest(`${name}-again`, [...selected, '--runInBand', '--runTestsByPath', ...suites]);
  if (again.code !== 0) return counted;
  const passedBefore = suites.reduce((sum, name) => sum + passedIn(report, name), 0);
  return { code: 0, passed: counted.passed - passedBefore + countOf(again.report).passed, failed: 0, unstable };
}

const passedIn = (report, suite) =>
  report.testResults.find(({ name }) => name === suite).assertionResults.filter(({ status }) => status === 'passed')
    .length;

/**
 * The journeys of the console, and after them those that need the product for themselves. Playwright itself runs a
 * failed journey once more.
 * @returns {Promise<Result>}
 */
export async function runBrowserJourneys() {
  const file = join(folder, 'journeys.json');
  process.env.GATEHOUSE_JOURNEYS_REPORT = file;
  const code = await runJourneys('--project', 'alone');
  const report = reportAt(file);
  if (!report) return { code, passed: 0, failed: 0, unstable: [] };
  const { expected, flaky, unexpected } = report.stats;
  return { code, passed: expected + flaky, failed: unexpected, unstable: report.suites.flatMap(flakyIn) };
}

const flakyIn = ({ title, specs, suites = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map((spec) => `${title}: ${spec.title}`),
  ...suites.flatMap(flakyIn),
];
