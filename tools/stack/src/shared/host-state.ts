import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../parts/running-part.ts';
import type { PidRecord } from '../pid-record.ts';
import { writeWhole } from '../paths.ts';

/** The state that the host of the shared parts publishes to its users. */
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

/** The file contains passwords. */
export const writeHostState = (stack: string, state: HostState): void =>
  writeWhole(fileOf(stack), JSON.stringify(state));

export const removeHostState = (stack: string): void => rmSync(fileOf(stack), { force: true });
