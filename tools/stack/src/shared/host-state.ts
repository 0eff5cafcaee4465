import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../parts/running-part.ts';
import type { PidRecord } from '../pid-record.ts';

/** What the host of the shared parts tells those who use them. */
export interface HostState extends PidRecord {
  /** Milliseconds since the epoch, when this host began. */
  readonly since: number;
  readonly phase: 'serving' | 'stopping' | 'failed';
  readonly urls: Readonly<Partial<Record<Part, string>>>;
  readonly failure?: string;
}

const fileOf = (stack: string): string => join(stack, 'run', 'backing-host.state');

export function readHostState(stack: string): HostState | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(stack), 'utf8')) as HostState;
  } catch {
    return undefined;
  }
}

/** Written whole and put in place at once, so that nobody reads half of it. It holds passwords. */
export function writeHostState(stack: string, state: HostState): void {
  const draft = `${fileOf(stack)}.draft`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, fileOf(stack));
}

export const removeHostState = (stack: string): void => rmSync(fileOf(stack), { force: true });
