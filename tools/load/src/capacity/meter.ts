import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { connected, type RunningProduct } from '@gatehouse/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuUse, secondsOf } from '../processes.ts';

/** The parts beside our services and PostgreSQL. */
const OTHERS = ['nats', 'redis'];
const IDLE_MS = 4_000;
const BYTES_IN_MB = 1024 ** 2;

const pidOfPart = (product: RunningProduct, part: string): number =>
  (JSON.parse(readFileSync(join(product.directory, 'run', `${part}.json`), 'utf8')) as { pid: number }).pid;

/** One field of a file of `name: value` lines below /proc. */
export const fieldOf = (pid: number, file: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0);

/** Bytes that a service has read and written, which is its traffic: it has next to no files. */
const trafficOf = (pid: number): number => fieldOf(pid, 'io', 'rchar') + fieldOf(pid, 'io', 'wchar');

/** What has been used so far, by name. */
export interface Reading {
  /** Seconds of CPU by process; PostgreSQL's by database. */
  readonly cpu: ReadonlyMap<string, number>;
  /** Bytes in and out by service. */
  readonly traffic: ReadonlyMap<string, number>;
  readonly transactions: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  readonly at: number;
}

/** The sum over all replicas of each service. */
const sumsOf = (product: RunningProduct, measure: (pid: number) => number): Map<string, number> =>
  new Map(SERVICE_NAMES.map((name) => [name, product.pidsOf(name).reduce((sum, pid) => sum + measure(pid), 0)]));

const COUNTERS = `SELECT (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS transactions,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "walBytes",
  (SELECT sum(pg_database_size(datname))::float8 FROM pg_database WHERE datname LIKE 'gatehouse%') AS "storedBytes"`;

export async function read(product: RunningProduct): Promise<Reading> {
  const counters = await connected(product.endpoints.backing.postgres, async (client) => {
    const { rows } = await client.query<Pick<Reading, 'transactions' | 'walBytes' | 'storedBytes'>>(COUNTERS);
    return rows[0] ?? { transactions: 0, walBytes: 0, storedBytes: 0 };
  });
  return {
    ...counters,
    cpu: new Map([...cpuUse(product), ...OTHERS.map((part) => [part, secondsOf(pidOfPart(product, part))] as const)]),
    traffic: sumsOf(product, trafficOf),
    at: Date.now(),
  };
}

/** What a second of the product costs without requests. */
export interface IdleRate {
  readonly cpu: ReadonlyMap<string, number>;
  readonly walBytes: number;
}

const difference = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Map<string, number> =>
  new Map(
    [...new Set([...before.keys(), ...after.keys()])].map((name) => [
      name,
      (after.get(name) ?? 0) - (before.get(name) ?? 0),
    ]),
  );

export const isPostgres = (name: string): boolean => name.startsWith('postgres');

export async function idleRate(product: RunningProduct): Promise<IdleRate> {
  const before = await read(product);
  await pause(IDLE_MS);
  const after = await read(product);
  const seconds = (after.at - before.at) / 1000;
  const spent = [...difference(before.cpu, after.cpu)].map(([name, used]) => [name, used / seconds] as const);
  return { cpu: new Map(spent), walBytes: (after.walBytes - before.walBytes) / seconds };
}

/** What one request of a kind costs, the idle load taken off. */
export interface Cost {
  /** Milliseconds of CPU by process, the most expensive first. */
  readonly cpu: readonly (readonly [string, number])[];
  /** Milliseconds of PostgreSQL. Its parts do not add up: a backend that ended counts as PostgreSQL's own. */
  readonly postgres: number;
  readonly transactions: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  readonly gatewayTraffic: number;
  readonly servicesTraffic: number;
}

export function costBetween(before: Reading, after: Reading, idle: IdleRate, pieces: number): Cost {
  const seconds = (after.at - before.at) / 1000;
  const each = (value: number): number => Math.max(0, value) / Math.max(1, pieces);
  const used = [...difference(before.cpu, after.cpu)].map(
    ([name, spent]) => [name, (spent - seconds * (idle.cpu.get(name) ?? 0)) * 1000] as const,
  );
  const traffic = difference(before.traffic, after.traffic);
  const gateway = traffic.get('gateway') ?? 0;
  const all = [...traffic.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    cpu: used
      .map(([name, ms]) => [name, each(ms)] as const)
      .filter(([, ms]) => ms >= 0.005)
      .sort(([, a], [, b]) => b - a),
    postgres: each(used.filter(([name]) => isPostgres(name)).reduce((sum, [, ms]) => sum + ms, 0)),
    transactions: each(after.transactions - before.transactions),
    walBytes: each(after.walBytes - before.walBytes - seconds * idle.walBytes),
    storedBytes: each(after.storedBytes - before.storedBytes),
    gatewayTraffic: each(gateway),
    servicesTraffic: each(all - gateway),
  };
}

/** Megabytes that each service holds in memory. */
export const memoryOf = (product: RunningProduct): Map<string, number> =>
  sumsOf(product, (pid) => (fieldOf(pid, 'status', 'VmRSS') * 1024) / BYTES_IN_MB);
