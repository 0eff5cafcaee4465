import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = resolve(fileURLToPath(import.meta.url), '../../../..');

describe('npm start', () => {
  it('needs no package that only the tests and the build install', () => {
    const apps = readdirSync(join(REPOSITORY, 'apps')).filter((name) => !/e2e$/.test(name));
    const folders = [...apps.map((name) => `apps/${name}/src`), 'apps/console/vite.config.ts', 'libs', ...TOOLS];
    const needed = new Set([...folders, 'tools/bundle/compile.mjs'].flatMap(filesIn).flatMap(packagesOf));
    expect(needed).toContain('esbuild');
    expect([...needed].filter((name) => lock.packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
  });

  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
});

const TOOLS = ['stack', 'dev-idp', 'demo', 'operate', 'cli', 'agent-sim'].map((name) => `tools/${name}/src`);
const LEFT_OUT = /^(?:node_modules|dist|dist-next|test|testing|contract-types\.mjs|.*spec\.tsx?)$/;
const OWN = /^(?:\.|node:|@gatehouse\/)/;

function filesIn(path: string): string[] {
  if (!statSync(join(REPOSITORY, path)).isDirectory()) return /\.(?:tsx?|mjs)$/.test(path) ? [path] : [];
  const names = readdirSync(join(REPOSITORY, path)).filter((name) => !LEFT_OUT.test(name));
  return names.flatMap((name) => filesIn(`${path}/${name}`));
}

/** Packages that a file loads when it runs. */
function packagesOf(path: string): string[] {
  const text = readFileSync(join(REPOSITORY, path), 'utf8');
  const statements = [...text.matchAll(/^(?:import|export)\b(?! type\b)(?:[^;'"]*? from)? ['"]([^'"]+)['"]/gm)];
  const specifiers = [...statements, ...text.matchAll(/import\('([^']+)'\)/g)].map(([, specifier = '']) => specifier);
  return specifiers
    .filter((specifier) => !OWN.test(specifier) && !builtinModules.includes(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}
