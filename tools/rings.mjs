import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { REPOSITORY, run } from './bootstrap.mjs';
import { runJourneys } from './journeys.mjs';
import { Unchanged } from './test-runtime/unchanged.mjs';

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
 * @property {Failure[]} failures
 */

/**
 * @typedef {object} Failure
 * @property {string} file
 * @property {string[]} tests titles
 * @property {string} command that runs the file alone
 */

const REPORTER = './tools/test-runtime/reporter.mjs';
const JOURNEYS = 'apps/console-e2e/';
const TIMES = 'tools/test-runtime/times.json';
/** Shorter suites start in any order. */
const SECONDS_WORTH_KEEPING = 3;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-results-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const reportAt = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

async function jest(name, args, nice = []) {
  const file = join(folder, `${name}.json`);
  process.env.GATEHOUSE_RING = name;
  const reported = ['--json', '--outputFile', file, '--testLocationInResults=false', '--reporters', REPORTER];
  const [command, ...words] = [...nice, process.execPath, 'tools/jest.mjs', '--passWithNoTests', ...args, ...reported];
  const code = await run(command, words);
  return { code, report: reportAt(file) };
}

/** Keeps how long the suites of this run took, for the order of later runs. */
function keepTimes({ testResults }) {
  const known = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {};
  for (const { name, startTime, endTime } of testResults) {
    const [path, seconds] = [relative(REPOSITORY, name), Math.round((endTime - startTime) / 1000)];
    delete known[path];
    if (seconds >= SECONDS_WORTH_KEEPING) known[path] = seconds;
  }
  const sorted = Object.entries(known).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(TIMES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

const failuresIn = (report, selected) =>
  (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: relative(REPOSITORY, name),
      tests: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      command: ['node tools/jest.mjs', ...selected, '--runTestsByPath', relative(REPOSITORY, name)].join(' '),
    }));

const countOf = (report) =>
  report
    ? { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites }
    : { passed: 0, failed: 0 };

/**
 * @param {string} name of the ring
 * @param {string[]} projects of jest that belong to it
 * @param {{ workers: number, suites?: string[], nice?: string[] }} how many suites at a time, the option of jest that
 *   chooses among them, and the command that runs it
 * @returns {Promise<Result>}
 */
export async function runJest(name, projects, { workers, suites = [], nice }) {
  const selected = ['--selectProjects', ...projects];
  const { code, report } = await jest(name, [...selected, ...suites, `--maxWorkers=${workers}`], nice);
  if (report && process.env.KEEP_TIMES === '1') keepTimes(report);
  const failures = failuresIn(report, selected);
  const counted = { code, ...countOf(report), unstable: [], failures };
  if (failures.length === 0 || failures.length > SUITES_RUN_AGAIN) return counted;

  const unstable = failures.map(({ file }) => file);
  process.stdout.write(`\n=== once more, alone: ${unstable.join(', ')}\n`);
  const again = await jest(`${name}-again`, [...selected, '--maxWorkers=1', '--runTestsByPath', ...unstable], nice);
  if (again.code !== 0) return counted;
  const passedBefore = unstable.reduce((sum, file) => sum + passedIn(report, file), 0);
  const passed = counted.passed - passedBefore + countOf(again.report).passed;
  return { code: 0, passed, failed: 0, unstable, failures: [] };
}

const passedIn = (report, suite) =>
  report.testResults
    .find(({ name }) => relative(REPOSITORY, name) === suite)
    .assertionResults.filter(({ status }) => status === 'passed').length;

/**
 * The journeys of the console, and after them those that need the product for themselves. Playwright itself runs a
 * failed journey once more.
 * @returns {Promise<Result>}
 */
export async function runBrowserJourneys() {
  const unchanged = new Unchanged();
  if (process.env.GATEHOUSE_SKIP === '1' && unchanged.hasPassed(JOURNEYS)) {
    process.stdout.write('· the journeys have not changed since they passed\n');
    return { code: 0, passed: 0, failed: 0, unstable: [], failures: [] };
  }
  const file = join(folder, 'journeys.json');
  process.env.GATEHOUSE_JOURNEYS_REPORT = file;
  const code = await runJourneys('--project', 'alone');
  const report = reportAt(file);
  if (!report) return { code, passed: 0, failed: 0, unstable: [], failures: [] };
  if (code === 0) unchanged.keepPass(JOURNEYS);
  const { expected, flaky, unexpected } = report.stats;
  const ended = report.suites.flatMap(specsIn);
  const unstable = ended.filter(({ status }) => status === 'flaky').map(({ file, title }) => `${file}: ${title}`);
  const failures = ended
    .filter(({ status }) => status === 'unexpected')
    .map(({ project, file, title }) => ({
      file: `apps/console-e2e/${project}/${file}`,
      tests: [title],
      command: `node tools/journeys.mjs ${project} ${file}`,
    }));
  return { code, passed: expected + flaky, failed: unexpected, unstable, failures };
}

const specsIn = ({ file, specs, suites = [] }) => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ status, projectName }) => ({ file, title, status, project: projectName })),
  ),
  ...suites.flatMap(specsIn),
];
