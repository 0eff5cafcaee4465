/** As the programs are compiled: what is tested is what runs. */
const swc = require('./tools/bundle/swc.json');

/** The same with JSX, for what runs in browsers. */
const swcForBrowsers = {
  ...swc,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
};

/** What every ring of tests shares: ES modules, sources instead of build output. */
const preset = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@gatehouse/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'cjs', 'json', 'node'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['/dist/', '/dist-next/'],
  testTimeout: 180_000,
};

/** The console runs in browsers: its tests get a document, and its sources JSX. */
const ofConsole = '<rootDir>/apps/console';
const browserPreset = {
  ...preset,
  roots: [ofConsole],
  testEnvironment: `${ofConsole}/test/environment.mjs`,
  testEnvironmentOptions: { customExportConditions: ['@gatehouse/source', 'browser'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  // Packages leave the extension out and mean `.js`, although `.mjs` lies beside it.
  moduleFileExtensions: ['tsx', 'ts', 'js', 'mjs', 'cjs', 'json'],
  moduleNameMapper: { '\\.css$': `${ofConsole}/test/empty.mjs` },
  transform: { '^.+\\.tsx?$': ['@swc/jest', swcForBrowsers] },
  setupFiles: [`${ofConsole}/test/setup.ts`],
};

module.exports = { ...preset, browserPreset };
