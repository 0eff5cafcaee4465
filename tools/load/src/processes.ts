import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { type RunningProduct } from '@gatehouse/stack';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

interface Usage {
  readonly parent: string;
  readonly seconds: number;
  /** The same with the children that have ended. */
  readonly secondsWithChildren: number;
  readonly command: string;
}

/**
 * Fields 14 and 15 of /proc/<pid>/stat: user and system time; 16 and 17: of children that have ended; 4: the parent.
 */
function usageOf(pid: string): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, ...children] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    const seconds = user + system;
    return {
      parent: fields[1] ?? '',
      seconds,
      secondsWithChildren: children.reduce((sum, one) => sum + one, seconds),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    };
  } catch {
    return null;
  }
}

/** CPU seconds of one process so far; 0 when it is not there. */
export const secondsOf = (pid: number): number => usageOf(String(pid))?.seconds ?? 0;

/** CPU seconds of our services by name, and of PostgreSQL's backends by the database that they serve. */
export type CpuUse = ReadonlyMap<string, number>;

const backendOf = (command: string): string =>
  `postgres ${/gatehouse_(\w+?)_\w+ gatehouse_/.exec(command)?.[1] ?? 'itself'}`;

/**
 * CPU seconds that the product's own processes and its PostgreSQL have used so far (Linux); the broker and Redis are
 * not in it.
 */
export function cpuUse(product: RunningProduct): CpuUse {
  const use = new Map<string, number>();
  const add = (name: string, seconds: number): void => void use.set(name, (use.get(name) ?? 0) + seconds);
  for (const name of SERVICE_NAMES) for (const pid of product.pidsOf(name)) add(name, secondsOf(pid));
  const { pid } = JSON.parse(readFileSync(join(product.directory, 'run', 'postgres.json'), 'utf8')) as { pid: number };
  add('postgres itself', usageOf(String(pid))?.secondsWithChildren ?? 0);
  for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const usage = usageOf(child);
    if (usage?.parent === String(pid)) add(backendOf(usage.command), usage.seconds);
  }
  return use;
}

/** CPU milliseconds for each piece of work. */
export interface CpuCost {
  readonly ours: number;
  readonly postgres: number;
  /** The parts, the most expensive first. */
  readonly parts: readonly (readonly [string, number])[];
}

export function costSince(product: RunningProduct, before: CpuUse, pieces: number): CpuCost {
  const spent = [...cpuUse(product)].map(
    ([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1000) / Math.max(1, pieces)] as const,
  );
  const sumOf = (wanted: boolean): number =>
    spent.filter(([name]) => name.startsWith('postgres') === wanted).reduce((sum, [, ms]) => sum + ms, 0);
  return {
    ours: sumOf(false),
    postgres: sumOf(true),
    parts: spent.filter(([, ms]) => ms > 0.005).sort(([, a], [, b]) => b - a),
  };
}
