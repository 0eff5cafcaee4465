import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTime } from './system/start-time.ts';
import { writeWhole } from './paths.ts';

/** A program that is running or ran. The start time distinguishes it from a later one with the same pid. */
export interface PidRecord {
  readonly pid: number;
  readonly startedAt: string;
}

const POLL_MS = 25;

/** What identifies a running program, or undefined when there is none with this pid. */
export function recordOf(pid: number): PidRecord | undefined {
  const startedAt = startTime(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export const isAlive = (record: PidRecord): boolean => startTime(record.pid) === record.startedAt;

/** Sends a signal to exactly that program; false when it is gone. */
export function signal(record: PidRecord, name: NodeJS.Signals): boolean {
  if (!isAlive(record)) return false;
  try {
    return process.kill(record.pid, name);
  } catch {
    return false;
  }
}

/** Waits until the program is gone; false when it still runs after `timeoutMs`. */
export async function waitUntilGone(record: PidRecord, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(record)) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

/** Sends SIGTERM and, after `graceMs`, SIGKILL. */
export async function endProgram(record: PidRecord, name: NodeJS.Signals, graceMs: number): Promise<void> {
  if (!signal(record, name) || (await waitUntilGone(record, graceMs))) return;
  signal(record, 'SIGKILL');
  await waitUntilGone(record, graceMs);
}

/**
 * Programs on record in a directory, one `<name>.json` each, so that a later run can recognise what an earlier one left
 * behind.
 */
export class PidDirectory {
  constructor(private readonly directory: string) {
    mkdirSync(directory, { recursive: true });
  }

  write(name: string, record: PidRecord): void {
    writeWhole(this.fileOf(name), JSON.stringify(record));
  }

  remove(name: string): void {
    rmSync(this.fileOf(name), { force: true });
  }

  read(name: string): PidRecord | undefined {
    try {
      return JSON.parse(readFileSync(this.fileOf(name), 'utf8')) as PidRecord;
    } catch {
      return undefined;
    }
  }

  names(): string[] {
    return readdirSync(this.directory)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length));
  }

  /** The names whose program still runs; the records of the others are cleared away. */
  living(): string[] {
    return this.names().filter((name) => {
      const record = this.read(name);
      const alive = record !== undefined && isAlive(record);
      if (!alive) this.remove(name);
      return alive;
    });
  }

  private fileOf(name: string): string {
    return join(this.directory, `${name}.json`);
  }
}
