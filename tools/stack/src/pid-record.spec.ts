import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endProgram, isAlive, PidDirectory, type PidRecord, recordOf, signal } from './pid-record.ts';
import { takeLock } from './shared/exclusive-lock.ts';

describe('a program on record', () => {
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is not mistaken for a later one with the same pid', async () => {
    const record = sleeper();
    expect(isAlive(record)).toBe(true);
    expect(isAlive(laterProgram(record))).toBe(false);
    expect(signal(laterProgram(record), 'SIGKILL')).toBe(false);
    expect(isAlive(record)).toBe(true);
    await endProgram(record, 'SIGTERM', 5_000);
    expect(isAlive(record)).toBe(false);
  });

  it('is ended by force when it does not listen', async () => {
    const child = spawn(
      process.execPath,
      ['-e', "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('up')"],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    await once(child.stdout, 'data');
    const record = recordOf(child.pid ?? 0);
    if (record === undefined) throw new Error('the program did not start');
    await endProgram(record, 'SIGTERM', 200);
    expect(isAlive(record)).toBe(false);
  });

  it('is cleared from the directory once it is gone', async () => {
    const pids = new PidDirectory(directory);
    const record = sleeper();
    pids.write('part', record);
    pids.write('other', laterProgram(record));
    expect(pids.living()).toEqual(['part']);
    await endProgram(record, 'SIGKILL', 5_000);
    expect(pids.living()).toEqual([]);
    expect(pids.names()).toEqual([]);
  });

  it('holds a lock while it lives, and not after', async () => {
    const holder = sleeper();
    new PidDirectory(directory).write('launcher', holder);
    const lock = join(directory, 'launcher.json');
    expect(await takeLock(lock)).toEqual(holder);
    await endProgram(holder, 'SIGKILL', 5_000);
    expect(await takeLock(lock)).toBeUndefined();
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-pids-'));
});

function sleeper(): PidRecord {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { stdio: 'ignore' });
  const record = child.pid === undefined ? undefined : recordOf(child.pid);
  if (record === undefined) throw new Error('the program did not start');
  return record;
}

/** The pid of `record`, but of a program that began at another time. */
const laterProgram = (record: PidRecord): PidRecord => ({ ...record, startedAt: `${record.startedAt}0` });
