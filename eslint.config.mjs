// The package's main entry would also load tools/eslint-rules, as if those were rules of its own kind.
import { enforceModuleBoundaries } from '@nx/eslint-plugin/internal';
import { createProjectGraphAsync } from '@nx/devkit';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';
import { consoleConfig } from './tools/eslint-rules/console-config.mjs';
import gatehouse from './tools/eslint-rules/index.mjs';

// The boundary rule reads the project graph from a cache and would otherwise judge by yesterday's projects.
process.env['NX_DAEMON'] = 'false';
await createProjectGraphAsync();

const SPECS = ['**/*spec.{ts,tsx}', '**/test/**', 'libs/testing/**', 'apps/console-e2e/**'];

/**
 * Who may import whom (by project tag), and which packages are out of bounds. What crosses a process is open to all.
 */
const may = (sourceTag, onlyDependOnLibsWithTags, bannedExternalImports = []) => ({
  sourceTag,
  onlyDependOnLibsWithTags,
  bannedExternalImports,
});
const within = (scope) => may(`scope:${scope}`, [`scope:${scope}`, 'scope:shared', 'type:contracts']);
const WEB = ['fastify', '@fastify/*', 'express'];
const DRIVERS = ['typeorm', '@nestjs/typeorm', 'pg', 'nats', 'ioredis'];
const BOUNDARIES = [
  may('type:contracts', ['type:contracts'], ['@nestjs/common', '@nestjs/core', ...WEB, ...DRIVERS, 'undici']),
  may('type:text', ['type:text'], ['@nestjs/*', ...WEB, ...DRIVERS, 'undici', 'node:*']),
  may('type:domain', ['type:contracts', 'type:domain', 'type:text'], ['@nestjs/*', ...WEB, ...DRIVERS, 'undici']),
  may('type:store', ['type:contracts', 'type:domain', 'type:platform', 'type:testing'], ['nats', 'ioredis', ...WEB]),
  may('type:platform', ['type:contracts', 'type:platform', 'type:testing', 'type:tool']),
  may('type:app', [
    'type:contracts',
    'type:domain',
    'type:store',
    'type:platform',
    'type:testing',
    'type:tool',
    'type:client',
  ]),
  // Clients run outside the product and share with it its contract and how texts are compared.
  may('type:client', ['type:client', 'type:text'], ['@nestjs/*', ...WEB, ...DRIVERS, 'undici']),
  // The console runs in browsers and knows the product by its API alone.
  may('type:web', ['type:web', 'type:client'], ['@nestjs/*', ...WEB, ...DRIVERS, 'undici', 'node:*']),
  may('type:testing', ['*']),
  may('type:tool', ['type:tool', 'type:client', 'type:contracts', 'type:domain', 'type:platform']),
  ...['shared', ...readdirSync(new URL('apps', import.meta.url))].map(within),
];

/** Tools and test support stay out of what is shipped; a driver is known only where it is named here. */
const TEST_SUPPORT = ['testing', 'stack', 'dev-idp', 'agent-sim', 'demo', 'agent'].map((name) => `@gatehouse/${name}`);
const shipped = (files, allowedDrivers) => {
  const banned = DRIVERS.filter((driver) => !allowedDrivers.includes(driver));
  const paths = [
    ...banned.map((name) => ({
      name,
      message: 'Drivers are known to the platform libraries, stores, repositories and entities only.',
    })),
    ...TEST_SUPPORT.map((name) => ({ name, message: 'For tests only.' })),
  ];
  return { files, ignores: SPECS, rules: { 'no-restricted-imports': ['error', { paths }] } };
};
const STORAGE = ['typeorm', '@nestjs/typeorm', 'pg'];

const FUNCTIONS = ':function:not(MethodDefinition[kind="constructor"] > FunctionExpression)';
const SHAPES = [
  { selector: `${FUNCTIONS}[params.length>4]`, message: 'At most 4 parameters: group what belongs together.' },
  {
    selector: 'VariableDeclarator > Identifier[name=/^(MOST|LONGEST|LEAST|SHORTEST)(_|$)/]',
    message: 'Limits are called MAX_ and MIN_.',
  },
  {
    selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
    message: 'A cast through unknown hides a wrong type.',
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/dist-next/**',
      '**/node_modules/**',
      '.stack/**',
      '.nx/**',
      'coverage/**',
      '**/*.d.ts',
      'libs/client/src/contract.ts',
      'libs/client/src/contract-tables.ts',
      'apps/console/src/api/generated/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx,mjs,cjs}'],
    extends: [tseslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@nx': { rules: { 'enforce-module-boundaries': enforceModuleBoundaries } }, gatehouse },
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      complexity: ['error', 10],
      eqeqeq: 'error',
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true }],
      'no-restricted-syntax': ['error', ...SHAPES],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      'gatehouse/disable-gives-reason': 'error',
      'gatehouse/citations-resolve': 'error',
      'gatehouse/route-declares-access': 'error',
      'gatehouse/repository-takes-scope': 'error',
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { allow: [], depConstraints: BOUNDARIES, enforceBuildableLibDependency: false },
      ],
    },
  },
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.ts'],
    ignores: SPECS,
    rules: { 'no-console': 'error', 'gatehouse/no-process-env': 'error' },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/**/*.ts'],
    ignores: [...SPECS, 'libs/testing/**'],
    rules: { 'gatehouse/sql-in-repositories': 'error' },
  },
  shipped(['apps/*/src/**/*.ts', 'libs/**/*.ts'], []),
  shipped(
    ['**/*.{repository,entity,entities}.ts', '**/migrations/**/*.ts', 'libs/*/store/**/*.ts', 'libs/platform/**/*.ts'],
    STORAGE,
  ),
  shipped(['libs/platform/messaging/**/*.ts'], [...STORAGE, 'nats']),
  shipped(['libs/platform/{rate-limit,service}/**/*.ts'], [...STORAGE, 'ioredis']),
  {
    files: SPECS,
    rules: { 'gatehouse/route-declares-access': 'off', 'gatehouse/repository-takes-scope': 'off' },
  },
  {
    files: [...SPECS, '**/migrations/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*spec.{ts,tsx}'],
    rules: { 'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }] },
  },
  {
    // The one list of a service's parts: identity's has more lines than a file of logic may have.
    files: ['apps/*/src/app.module.ts'],
    rules: { 'max-lines': 'off' },
  },
  ...consoleConfig(SHAPES),
  {
    // The environment is read here, and nowhere else.
    files: ['**/*.config.ts', '**/main.ts', '**/migrate.ts', 'libs/platform/service/src/config/config.ts'],
    rules: { 'gatehouse/no-process-env': 'off' },
  },
);
