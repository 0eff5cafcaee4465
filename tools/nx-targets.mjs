import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const command = (text) => ({ executor: 'nx:run-commands', options: { command: text } });

function targetsOf(root, workspaceRoot) {
  if (!existsSync(join(workspaceRoot, root, 'tsconfig.json'))) return {};
  const targets = {
    build: command('node node_modules/typescript7/bin/tsc -b {projectRoot}'),
    test: command('node tools/jest.mjs --passWithNoTests {projectRoot}/'),
    lint: command('eslint {projectRoot} --max-warnings 0'),
  };
  if (!root.startsWith('apps/')) return targets;
  return { ...targets, serve: { ...command('node tools/serve.mjs {projectName}'), continuous: true } };
}

/**
 * Defines the targets of all projects in one place: every project builds, tests and lints alike, and every service can
 * be served.
 */
export const createNodesV2 = [
  '{apps,libs,tools}/**/project.json',
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const root = dirname(file);
      return [file, { projects: { [root]: { root, targets: targetsOf(root, workspaceRoot) } } }];
    }),
];
