import { databaseSettings, SERVICE_NAMES, settingOf, UPSTREAMS, type UpstreamName } from '@gatehouse/contracts-core';
import { brokerUrlOf, provisionDatabase } from '@gatehouse/stack';
import { FaultProxy } from '@gatehouse/testing';
import { ordinaryAdministrator } from '@gatehouse/testing/ordinary-administrator';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { startWorld, until, type World } from '../world.ts';

const databaseOf = (service: UpstreamName): string => UPSTREAMS.find(({ name }) => name === service)!.database;

/** The network between one service and its servers. */
export interface Links {
  readonly postgres: FaultProxy;
  readonly nats: FaultProxy;
  readonly redis: FaultProxy;
}

/** The product with fault proxies between some services and their servers. */
export interface FaultWorld extends World {
  linksOf(service: UpstreamName): Links;
  /** Removes the faults from every link. */
  heal(): void;
}

export async function startFaultWorld(
  services: readonly UpstreamName[],
  settings: Readonly<Record<string, string>> = {},
): Promise<FaultWorld> {
  const links = new Map<UpstreamName, Links>();
  const world = await startWorld(async ({ postgres, nats, redis }, pooled) => {
    const own: Record<string, string> = { ...settings };
    const administrator = await ordinaryAdministrator(postgres.url);
    for (const service of services) {
      const prefix = `${settingOf(service)}__`;
      const address = `${prefix}${databaseSettings(databaseOf(service)).app}`;
      const database = pooled[address] ?? (await provisionDatabase(administrator, databaseOf(service))).appUrl;
      const [toPostgres, toNats, toRedis] = (await Promise.all(
        [database, nats.url, redis.url].map((url) => FaultProxy.before(url)),
      )) as [FaultProxy, FaultProxy, FaultProxy];
      links.set(service, { postgres: toPostgres, nats: toNats, redis: toRedis });
      Object.assign(own, {
        [`${prefix}NATS_URL`]: toNats.through(brokerUrlOf(nats.url, service)),
        [`${prefix}REDIS_URL`]: toRedis.through(redis.url),
        [address]: toPostgres.through(database),
      });
    }
    return own;
  });
  const proxies = (): FaultProxy[] =>
    [...links.values()].flatMap(({ postgres, nats, redis }) => [postgres, nats, redis]);
  const heal = (): void => proxies().forEach((proxy) => proxy.set({ kind: 'pass' }));
  return {
    ...world,
    linksOf: (service) => {
      const found = links.get(service);
      if (!found) throw new Error(`${service} was not asked for`);
      return found;
    },
    heal,
    stop: async () => {
      heal();
      await world.stop();
      await Promise.all(proxies().map((proxy) => proxy.stop()));
    },
  };
}

export const pids = ({ product }: World): Record<string, number> =>
  Object.fromEntries(SERVICE_NAMES.map((name) => [name, product.pidOf(name)]));
export const openFiles = ({ product }: World, service: string): number =>
  readdirSync(`/proc/${product.pidOf(service)}/fd`).length;

/** Kills a service at once; `back` resolves when the process that the supervisor starts in its place is ready. */
export function crash({ product }: World, service: string): { back(): Promise<void> } {
  const pid = product.pidOf(service);
  process.kill(pid, 'SIGKILL');
  return {
    back: () =>
      until(async () => product.pidOf(service) !== pid && (await isReady(product, service)), 60).then(() => undefined),
  };
}

export async function isReady({ endpoints }: World['product'], service: string): Promise<boolean> {
  return (await fetch(`${endpoints.services[service]?.adminUrl}/health/ready`)).ok;
}

export async function isAlive({ endpoints }: World['product'], service: string): Promise<boolean> {
  return (await fetch(`${endpoints.services[service]?.adminUrl}/health/live`)).ok;
}

/** The services that are not alive and ready. */
export async function notServing(product: World['product']): Promise<string[]> {
  const serving = await Promise.all(
    SERVICE_NAMES.map(async (name) => (await isAlive(product, name)) && (await isReady(product, name))),
  );
  return SERVICE_NAMES.filter((_, index) => !serving[index]);
}

/** The sum of a service's metric over the matching labels. */
export async function metric({ product }: World, service: string, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${product.endpoints.services[service]?.adminUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** A transaction of the database's owner whose locks stop a service at a known statement. */
export interface Gate {
  /** The number of service sessions that wait for its locks. */
  waiting(): Promise<number>;
  run(sql: string): Promise<void>;
  open(): Promise<void>;
}

const closed = new Set<Gate>();

export async function openAllGates(): Promise<void> {
  await Promise.all([...closed].map((gate) => gate.open()));
}

const WAITING = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';

export async function closeGate(world: World, database: string, lock: string): Promise<Gate> {
  const url = new URL(world.backing.postgres.url);
  url.pathname = new URL(world.product.endpoints.databases[database]?.app ?? '').pathname;
  const [holder, watcher] = [
    new pg.Client({ connectionString: url.href }),
    new pg.Client({ connectionString: url.href }),
  ];
  for (const client of [holder, watcher]) await client.on('error', () => undefined).connect();
  await holder.query(`BEGIN; ${lock}`);
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const gate: Gate = {
    waiting: async () => (await watcher.query(WAITING, [rows[0]?.pid])).rowCount ?? 0,
    run: async (sql) => void (await holder.query(sql)),
    open: async () => {
      if (!closed.delete(gate)) return;
      await holder.query('COMMIT');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
  closed.add(gate);
  return gate;
}
