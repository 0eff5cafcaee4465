import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const unchanged = (await import(new URL('../../../tools/test-runtime/unchanged.mjs', import.meta.url).href)) as Module;

describe('a suite that has passed', () => {
  const suite = 'apps/pam/test/freezes.api-spec.ts';

  it.each([
    ['itself', suite],
    ['its service', 'apps/pam/src/main.ts'],
    ['a package of its service', 'libs/platform/database/src/index.ts'],
    ['a package that the harness uses', 'tools/stack/src/index.ts'],
    ['the packages from the registry', 'package-lock.json'],
    ['what runs the tests', 'tools/test-runtime/runtime.mjs'],
  ])('runs again after a change of %s', (_, path) => {
    expect(concerns(path, suite)).toBe(true);
  });

  it('does not run again after a change of another suite, service or document', () => {
    const others = ['apps/pam/test/votes.api-spec.ts', 'apps/notifier/src/main.ts', 'docs/security.md'];
    expect(others.filter((path) => concerns(path, suite))).toEqual([]);
  });

  it('runs again after any change where it reads the repository', () => {
    expect(concerns('docs/security.md', 'libs/testing/test/behavior.spec.ts')).toBe(true);
  });

  it('runs again at the end of all others when the programs of the images differ', () => {
    const programs = mkdtempSync(join(tmpdir(), 'gatehouse-programs-'));
    const digest = () => new unchanged.Unchanged(programs).digest('apps/e2e/test/journey.e2e-spec.ts');
    const before = digest();
    writeFileSync(join(programs, 'main.js'), '');
    expect(digest()).not.toBe(before);
    rmSync(programs, { recursive: true });
    expect(concerns('apps/pam/src/main.ts', 'apps/e2e/test/journey.e2e-spec.ts')).toBe(false);
    expect(concerns('apps/e2e/test/world.ts', 'apps/e2e/test/journey.e2e-spec.ts')).toBe(true);
  });

  it('knows every package that the files of its project name', () => {
    const named = execFileSync('git', ['grep', '-oE', "'@gatehouse/[a-z-]+", '--', 'apps', 'libs'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    const unknown = named.split('\n').filter((line) => {
      const [path = '', name] = line.split(":'");
      const project = CONFINED.exec(path)?.[1];
      return project !== undefined && !packagesOf(project).some((known) => known.name === name);
    });
    expect(unknown).toEqual([]);
  });
});

interface Unchanged {
  readonly contents: Map<string, string>;
  digest(suite: string): string;
}
interface Module {
  readonly Unchanged: new (programs?: string) => Unchanged;
  readonly CONFINED: RegExp;
  packagesOf(project: string): { name: string; folder: string }[];
}

const REPOSITORY = join(import.meta.dirname, '../../..');
const { CONFINED, packagesOf } = unchanged;

/** Whether a suite would run again after a change of the file. */
function concerns(path: string, suite: string): boolean {
  const state = new unchanged.Unchanged('');
  if (!state.contents.has(path)) throw new Error(`${path} is not in the repository`);
  const before = state.digest(suite);
  state.contents.set(path, 'changed');
  return state.digest(suite) !== before;
}
