import { basename } from 'node:path';
import { DefaultReporter } from '@jest/reporters';

const EVERY_MS = 15_000;

/** Prints what fails when it fails, and every quarter of a minute how far the ring is. */
export default class ProgressReporter extends DefaultReporter {
  constructor(globalConfig) {
    super(globalConfig);
    this.running = new Set();
  }

  onRunStart(results) {
    this.timer = setInterval(() => this.tell(results), EVERY_MS);
  }

  onTestStart(test) {
    this.running.add(basename(test.path));
  }

  onTestCaseResult() {}

  onTestResult(test, result, results) {
    this.running.delete(basename(test.path));
    const isWorthALook = result.numFailingTests > 0 || result.testExecError || result.console?.length > 0;
    if (isWorthALook) super.onTestResult(test, result, results);
  }

  onRunComplete(...args) {
    clearInterval(this.timer);
    return super.onRunComplete(...args);
  }

  tell({ numPassedTestSuites, numFailedTestSuites, numPendingTestSuites, numTotalTestSuites, ...tests }) {
    const done = numPassedTestSuites + numFailedTestSuites + numPendingTestSuites;
    const failed = tests.numFailedTests > 0 ? `, ${tests.numFailedTests} failed` : '';
    this.log(
      `· ${process.env.GATEHOUSE_RING}: ${done} of ${numTotalTestSuites} suites, ${tests.numPassedTests} tests passed${failed}; now ${[...this.running].join(', ')}`,
    );
  }
}
