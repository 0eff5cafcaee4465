import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFinalPaths } from './index.ts';

describe('the paths that an agent reports', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'final-')));
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'setup.exe'), '');
    await symlink(join(folder, 'real'), join(folder, 'link'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are final: links and steps are resolved, of the program and of its parent', async () => {
    const prompt = {
      ...PROMPT,
      target_executable_path: join(folder, 'link', 'setup.exe'),
      parent_image: `${folder}/real/../link/setup.exe`,
    };
    const real = join(folder, 'real', 'setup.exe');
    expect(await withFinalPaths(prompt)).toEqual({ ...prompt, target_executable_path: real, parent_image: real });
  });

  it('stay as they are when nothing is there, and when they are names alone', async () => {
    const prompt = { ...PROMPT, target_executable_path: 'C:\\Tools\\..\\x.exe', parent_image: 'package.json' };
    expect(await withFinalPaths(prompt)).toEqual(prompt);
    expect(await withFinalPaths({ ...prompt, parent_image: null })).toEqual({ ...prompt, parent_image: null });
  });
});

const PROMPT = { subject_username: 'ann', observed_at: '2026-11-23T08:00:00Z' };
