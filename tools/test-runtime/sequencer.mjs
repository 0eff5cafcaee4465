import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { Unchanged } from './unchanged.mjs';

const seconds = JSON.parse(readFileSync(join(import.meta.dirname, 'times.json'), 'utf8'));
const suiteOf = ({ path, context }) => relative(context.config.rootDir, path);

/**
 * A long suite that starts last keeps one worker busy while the others have nothing left: the longest start first. A
 * ring of `npm test` leaves out what has passed and not changed since.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    if (process.env.GATEHOUSE_RING) this.unchanged = new Unchanged();
    const isToRun = (test) => process.env.GATEHOUSE_SKIP !== '1' || !this.unchanged.hasPassed(suiteOf(test));
    const due = super.sort(tests).filter(isToRun);
    const skipped = tests.length - due.length;
    if (skipped > 0)
      process.stdout.write(`· ${process.env.GATEHOUSE_RING}: ${skipped} suites have not changed since they passed\n`);
    const of = (test) => seconds[suiteOf(test)] ?? 0;
    return [...due].sort((one, other) => of(other) - of(one));
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    const failed = ({ numFailingTests, testExecError, skipped }) => numFailingTests > 0 || testExecError || skipped;
    const passed = new Set(
      results.testResults.filter((result) => !failed(result)).map((result) => result.testFilePath),
    );
    for (const test of tests) if (passed.has(test.path)) this.unchanged?.keepPass(suiteOf(test));
  }
}
