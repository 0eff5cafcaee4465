import presets from './jest.preset.cjs';

const { browserPreset, ...preset } = presets;

/** Suites run outside of jest's sandbox, where modules stay loaded from one suite to the next. */
const native = {
  testEnvironment: '<rootDir>/tools/test-runtime/environment.mjs',
  runtime: '<rootDir>/tools/test-runtime/runtime.mjs',
  // They would be globals of node itself; suites import them.
  injectGlobals: false,
};

const onRealParts = {
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
};

const ring = (displayName, kinds, settings = {}) => ({
  ...preset,
  ...settings,
  displayName,
  testMatch: kinds.map((kind) => `**/*.${kind}.ts`),
});

export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/test-runtime/sequencer.mjs',
  // For what hangs: no test waits for it otherwise.
  testTimeout: 180_000,
  // A suite leaves some megabytes behind in its worker; a new worker loads services and packages anew.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    ring('unit', ['spec', 'prop-spec'], {
      ...native,
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/apps/console/', '<rootDir>/apps/console-e2e/'],
    }),
    { ...browserPreset, displayName: 'console', testMatch: ['**/*.spec.ts', '**/*.spec.tsx'] },
    ring('integration', ['int-spec', 'api-spec'], { ...native, ...onRealParts }),
    ring('e2e', ['e2e-spec'], {
      ...native,
      ...onRealParts,
      globalSetup: '<rootDir>/apps/e2e/test/set-up.mjs',
    }),
    // Long, and started by hand before a release.
    ring('rehearsals', ['rehearsal-spec'], onRealParts),
  ],
};
