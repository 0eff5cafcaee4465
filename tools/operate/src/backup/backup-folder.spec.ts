import { DATABASES } from '@gatehouse/contracts-core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedFiles, findBackup, NewBackup, retain } from './backup-folder.ts';

describe('the folder of backups', () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('gives a backup its name when it is whole, and overwrites none', async () => {
    const unfinished = NewBackup.begin(parent, at(1));
    expect(() => findBackup(parent)).toThrow('no whole backup');
    expect(() => NewBackup.begin(parent, at(1))).toThrow('EEXIST');
    unfinished.abandon();
    const path = await made(1);
    expect(readdirSync(parent)).toEqual([nameOf(1)]);
    expect(() => NewBackup.begin(parent, at(1))).toThrow('nothing is overwritten');
    expect((await checkedFiles(path)).files.get('pam')).toBe(join(path, 'pam.dump'));
  });

  it('keeps the newest, and nothing else that it did not write', async () => {
    for (const day of [3, 1, 4, 2]) await made(day);
    const abandoned = join(parent, `${nameOf(1)}.unfinished`);
    for (const path of [abandoned, join(parent, `${nameOf(5)}.unfinished`), join(parent, 'mine')]) mkdirSync(path);
    utimesSync(abandoned, at(1), at(1));
    expect(retain(parent, 2)).toEqual([nameOf(1), nameOf(2)]);
    expect(readdirSync(parent)).toEqual([nameOf(3), nameOf(4), `${nameOf(5)}.unfinished`, 'mine']);
    expect(findBackup(parent)).toBe(join(parent, nameOf(4)));
    expect(findBackup(join(parent, nameOf(3)))).toBe(join(parent, nameOf(3)));
  });

  it('is not believed when a file was altered or is gone', async () => {
    const path = await made(1);
    appendFileSync(join(path, 'audit.dump'), 'x');
    await expect(checkedFiles(path)).rejects.toThrow('audit.dump is not the file that was written');
    rmSync(join(path, 'audit.dump'));
    await expect(checkedFiles(path)).rejects.toThrow('audit.dump is not the file that was written');
  });

  async function made(day: number): Promise<string> {
    const backup = NewBackup.begin(parent, at(day));
    for (const name of DATABASES) writeFileSync(backup.fileOf(name), `${name} ${day}`);
    await backup.finish(at(day), 'pg_dump (PostgreSQL) 17.6');
    return backup.path;
  }
});

const at = (day: number): Date => new Date(Date.UTC(2026, 10, day, 2, 17));
const nameOf = (day: number): string => `gatehouse-202611${String(day).padStart(2, '0')}T021700Z`;
