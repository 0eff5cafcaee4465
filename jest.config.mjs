import presets from './jest.preset.cjs';

const { browserPreset, ...preset } = presets;

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
  testTimeout: 60_000,
  // Each Nest suite leaves about 25 MB behind in its worker; a new worker loads the tools of the tests anew.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    ring('unit', ['spec', 'prop-spec'], {
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/apps/console/', '<rootDir>/apps/console-e2e/'],
    }),
    { ...browserPreset, displayName: 'console', testMatch: ['**/*.spec.ts', '**/*.spec.tsx'] },
    ring('integration', ['int-spec', 'api-spec'], onRealParts),
    ring('e2e', ['e2e-spec'], onRealParts),
    // Long, and started by hand before a release.
    ring('rehearsals', ['rehearsal-spec'], onRealParts),
  ],
};
