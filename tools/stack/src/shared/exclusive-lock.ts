import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, type PidRecord, recordOf } from '../pid-record.ts';
import { errorCode } from '../stack-error.ts';

const SETTLE_MS = 60;

function holderOf(file: string): PidRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PidRecord;
  } catch {
    return undefined;
  }
}

function tryCreate(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify(recordOf(process.pid)), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes the lock for this program's lifetime, also from a holder that was killed. Returns undefined, or the living
 * holder.
 */
export async function takeLock(file: string): Promise<PidRecord | undefined> {
  if (!tryCreate(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && isAlive(holder)) return holder;
    rmSync(file, { force: true });
    tryCreate(file);
  }
  // Two programs may have cleared the same stale lock: after a moment the file names the one that has it.
  await pause(SETTLE_MS);
  const holder = holderOf(file);
  return holder === undefined || holder.pid === process.pid ? undefined : holder;
}

export function releaseLock(file: string): void {
  if (holderOf(file)?.pid === process.pid) rmSync(file, { force: true });
}
