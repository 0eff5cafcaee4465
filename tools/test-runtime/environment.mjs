import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const timerConfig = {
  idToRef: (id) => ({ id, ref: () => undefined, unref: () => undefined }),
  refToId: ({ id }) => id,
};

/** What jest keeps on the global object for one suite. */
const OF_JEST = /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|LOG_ERRORS_BEFORE_RETRY|\w*RETRY\w*)$/;

/** Puts back what a suite has changed of the process. */
function keepProcess() {
  const env = { ...process.env };
  const { exit } = process;
  const { console: realConsole } = globalThis;
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = realConsole;
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (OF_JEST.test(symbol.description)) delete globalThis[symbol];
  };
}

/** Suites run in the realm of node itself, so that the modules that they import stay loaded for the next suite. */
export default class NativeEnvironment {
  constructor({ projectConfig }) {
    this.restore = keepProcess();
    this.global = globalThis;
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.moduleMocker = new ModuleMocker(globalThis);
    const given = { config: projectConfig, global: globalThis };
    this.fakeTimers = new LegacyFakeTimers({ ...given, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers(given);
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.restore();
  }
}
