import { connected, type RunningProduct } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../child.ts';
import { drive } from '../drive.ts';
import { type BenchOptions, fine, say, table, whole } from '../command-line.ts';
import { invite, type OidcProvider, organizationWithProvider } from '../people.ts';
import { untilQuiet, withProduct } from '../product.ts';
import { adminUrl, StatementLog } from '../statements.ts';
import { makeTenant } from '../tenant.ts';
import { addRule, type Kind, kindsOf, waitingDevices, type World } from './kinds.ts';
import { type Cost, costBetween, type IdleRate, idleRate, isPostgres, memoryOf, read } from './meter.ts';

/** For each replica, so that a replica has the same load however many there are. */
const CLIENTS = 16;
/** With so many devices none asks twice within the four seconds for which pam-ingest caches a device. */
const DEVICES = 8_000;
/** No more than the client has connections. */
const WAITING_DEVICES = 250;
const COUNTED_SECONDS = 1;
const FILL_SECONDS = 1;
/** The devices' requests have been counted at the gateway and registered behind it by then. */
const SETTLE_MS = 2_000;
/** Shorter than the longest wait, so that no device begins another. */
const WAIT_MS = 22_000;
const UNLIMITED = [
  'signInByClient',
  'signInByAccount',
  'discovery',
  'ssoStart',
  'enrolByClient',
  'enrolByKey',
  'agentReport',
  'agentPoll',
  'agentRules',
]
  .map((name) => `${name}=1000000/1`)
  .join(',');

/** How one kind is measured. */
interface Load {
  readonly seconds: number;
  readonly clients: number;
  /** Each replica answers as many requests as one replica in `seconds`, so that its code is compiled by then. */
  readonly warmUpSeconds: number;
}

interface Measured {
  readonly kind: Kind;
  readonly cost: Cost;
  readonly answered: number;
  readonly failures: number;
  readonly complaint: string | null;
}

async function costOf(product: RunningProduct, kind: Kind, idle: IdleRate, load: Load): Promise<Measured> {
  const { seconds, clients, warmUpSeconds } = load;
  const once = kind.once.bind(kind);
  const { supply } = kind;
  if (supply) await drive({ seconds: warmUpSeconds + seconds, clients, once: supply.once.bind(supply) });
  await drive({ seconds: warmUpSeconds, clients, once });
  await untilQuiet(product);
  const before = await read(product);
  const { answered, failures, complaint } = await drive({ seconds, clients, once });
  await untilQuiet(product);
  return { kind, answered, failures, complaint, cost: costBetween(before, await read(product), idle, answered) };
}

/** Under load, because requests that arrive together may share statements. */
async function statementsOf(log: StatementLog, kind: Kind, { clients }: Load): Promise<number> {
  let answered = 0;
  const { statements } = await log.during(async () => {
    ({ answered } = await drive({ seconds: COUNTED_SECONDS, clients, once: kind.once.bind(kind) }));
  });
  return statements.length / Math.max(1, answered);
}

const sumOf = ({ cpu }: Cost, wanted: (name: string) => boolean): number =>
  cpu.filter(([name]) => wanted(name)).reduce((sum, [, ms]) => sum + ms, 0);
const isPart = (name: string): boolean => name === 'nats' || name === 'redis';

const HEAD = [
  'one request',
  'of',
  'gateway CPU ms',
  'services',
  'PostgreSQL',
  'NATS, Redis',
  'statements',
  'commits',
  'WAL bytes',
  'stored bytes',
  'gateway traffic',
  'services traffic',
  'failures',
];

const row = ({ kind, cost, answered, failures }: Measured, statements: number): string[] => [
  kind.name,
  String(answered),
  fine(sumOf(cost, (name) => name === 'gateway')),
  fine(sumOf(cost, (name) => name !== 'gateway' && !isPostgres(name) && !isPart(name))),
  fine(cost.postgres),
  fine(sumOf(cost, isPart)),
  fine(statements),
  fine(cost.transactions),
  whole(cost.walBytes),
  whole(cost.storedBytes),
  whole(cost.gatewayTraffic),
  whole(cost.servicesTraffic),
  String(failures),
];

async function measureAll(product: RunningProduct, kinds: readonly Kind[], load: Load): Promise<void> {
  const idle = await idleRate(product);
  const all: Measured[] = [];
  for (const kind of kinds) all.push(await costOf(product, kind, idle, load));
  const logs = new Map<string, StatementLog>();
  const rows: string[][] = [];
  for (const measured of all) {
    const { database } = measured.kind;
    const log = logs.get(database) ?? (await StatementLog.open(product, database));
    logs.set(database, log);
    rows.push(row(measured, await statementsOf(log, measured.kind, load)));
  }
  say(table([HEAD, ...rows]));
  for (const { kind, cost } of all)
    say(`CPU ms of one ${kind.name}: ${cost.cpu.map(([name, ms]) => `${name} ${fine(ms)}`).join(', ')}`);
  say(`CPU of the idle product, ms a second: ${idleLine(idle)}`);
  for (const { kind, complaint } of all) if (complaint) say(`${kind.name}: ${complaint}`);
}

const idleLine = ({ cpu }: IdleRate): string =>
  [...cpu]
    .filter(([, seconds]) => seconds > 0)
    .map(([name, seconds]) => `${name} ${whole(seconds * 1000)}`)
    .join(', ');

const megabytes = (memory: ReadonlyMap<string, number>): string =>
  [...memory].map(([name, mb]) => `${name} ${whole(mb)}`).join(', ');

/** Each device has one request open for as long as it is on. */
async function sayWaiting(product: RunningProduct, world: World): Promise<void> {
  await untilQuiet(product);
  const log = await StatementLog.open(product, 'pam');
  const before = memoryOf(product);
  let after = before;
  const { statements } = await log.during(async () => {
    const { stop } = waitingDevices(world, WAITING_DEVICES);
    await pause(SETTLE_MS);
    after = memoryOf(product);
    await pause(WAIT_MS - SETTLE_MS);
    await stop();
  });
  const grown = [...after].map(
    ([name, mb]) => [name, ((mb - (before.get(name) ?? 0)) * 1024) / WAITING_DEVICES] as const,
  );
  say(`statements while a device waits for ${WAIT_MS / 1000} s: ${fine(statements.length / WAITING_DEVICES)}`);
  say(`memory, MB: ${megabytes(before)}`);
  say(
    `KB for each of ${WAITING_DEVICES} devices that wait for commands: ${grown
      .filter(([, kb]) => kb >= 1)
      .map(([name, kb]) => `${name} ${whole(kb)}`)
      .join(', ')}`,
  );
}

async function measure(product: RunningProduct, provider: OidcProvider, load: Load): Promise<void> {
  const tenant = await makeTenant(product, DEVICES);
  await addRule(tenant);
  const ssoOrgId = await organizationWithProvider(tenant.admin, tenant.partnerId, provider);
  const world: World = { product, tenant, ssoOrgId, person: await invite(product, tenant.admin, tenant.partnerId) };
  const kinds = kindsOf(world);
  // A plan that is made while a table is empty may read the whole table later, until statistics replace it.
  for (const kind of kinds) await drive({ seconds: FILL_SECONDS, clients: load.clients, once: kind.once.bind(kind) });
  for (const database of ['identity', 'tenancy', 'pam', 'audit'])
    await connected(adminUrl(product, database), (client) => client.query('ANALYZE'));
  await measureAll(product, kinds, load);
  await sayWaiting(product, world);
}

/** What one request of each kind costs, for the model of docs/performance.md. */
export async function benchCapacity({ seconds, replicas }: BenchOptions): Promise<void> {
  const provider = await startChild<OidcProvider>('./dev-idp-child.js');
  const settings = {
    RATE_LIMITS: UNLIMITED,
    EGRESS_ALLOW_HOSTS: new URL(provider.ready.issuer).host,
    EGRESS_ALLOW_HTTP: 'true',
  };
  const each = Math.max(1, replicas);
  const load: Load = { seconds, clients: CLIENTS * each, warmUpSeconds: seconds * each };
  try {
    await withProduct(settings, (product) => measure(product, provider.ready, load), replicas);
  } finally {
    await provider.stop();
  }
}
