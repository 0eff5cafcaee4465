import { type RunningProduct } from '@gatehouse/stack';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Field 14 and 15 of /proc/<pid>/stat: user and system time; 16 and 17: of children that have ended. */
function ticksOf(pid: string): { ticks: number; command: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { ticks: Number(fields[11]) + Number(fields[12]), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return null;
  }
}

const SERVICES = ['gateway', 'identity', 'tenancy', 'pam', 'pam-ingest', 'audit', 'notifier'];

/** CPU seconds that the product's processes and its PostgreSQL have used so far (Linux). */
export function cpuSeconds(product: RunningProduct): number {
  const own = new Set(SERVICES.map((name) => String(product.pidOf(name))));
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ticks = all.map((pid) => ({ pid, ...ticksOf(pid) })).filter(({ pid, command }) => own.has(pid) || command?.startsWith('postgres:'));
  return ticks.reduce((sum, { ticks: used = 0 }) => sum + used, 0) / TICKS_PER_SECOND;
}
