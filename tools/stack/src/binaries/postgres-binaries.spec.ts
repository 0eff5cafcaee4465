import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findPostgres, installedIn } from './postgres-binaries.ts';

describe('the binaries of PostgreSQL', () => {
  afterEach(() => {
    if (given === undefined) delete process.env['GATEHOUSE_TEST_POSTGRES'];
    else process.env['GATEHOUSE_TEST_POSTGRES'] = given;
  });

  it('are those that the setting names, and no others if it is wrong', async () => {
    process.env['GATEHOUSE_TEST_POSTGRES'] = '/nowhere';
    await expect(findPostgres(undefined)).rejects.toThrow('GATEHOUSE_TEST_POSTGRES: there is no initdb in /nowhere');
  });

  it('are found where Homebrew puts the versions that it keeps off the PATH, the newest first', () => {
    const root = mkdtempSync(join(tmpdir(), 'gatehouse-opt-'));
    for (const name of ['postgresql@9', 'postgresql@18', 'redis', 'postgresql']) mkdirSync(join(root, name));
    const places = [
      { root: join(root, 'nowhere'), version: /^(\d+)$/ },
      { root, version: /^postgresql@(\d+)$/ },
    ];
    expect(installedIn(places)).toEqual([join(root, 'postgresql@18/bin'), join(root, 'postgresql@9/bin')]);
    rmSync(root, { recursive: true });
  });

  const given = process.env['GATEHOUSE_TEST_POSTGRES'];
});
