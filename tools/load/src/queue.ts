import type { Principal } from '@gatehouse/contracts-core';
import { connected, type RunningProduct } from '@gatehouse/stack';
import { startChild } from './child.ts';
import { DirectDoor, partnerPrincipal } from './callers.ts';
import { drive, type Driven } from './drive.ts';
import { expectStatus, type Send } from './http.ts';
import { type BenchOptions, fine, median, repeated, say, table, whole } from './command-line.ts';
import { costSince, cpuUse } from './processes.ts';
import { untilQuiet, withProduct } from './product.ts';
import { QueueRows } from './queue-seed.ts';
import { adminUrl, StatementLog } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const CLIENTS = 8;
const SHORT_HISTORY = 10_000;
/** More requests than one round can decide. */
export const PENDING_PER_SECOND = 2_500;
const COUNTED = 20;
const WARM_UP_SECONDS = 1;
/** Keeps the whole scenario within minutes. */
const MAX_READ_SECONDS = 2;
const BARE_TABLES = `
  CREATE TABLE IF NOT EXISTS bench_queue (id uuid PRIMARY KEY, org_id uuid, device_id uuid, status text, decision_source text, decided_at timestamptz, approved_by uuid, duration_minutes integer, expires_at timestamptz);
  CREATE TABLE IF NOT EXISTS bench_audit (id uuid PRIMARY KEY, org_id uuid, action text, details jsonb, created_at timestamptz DEFAULT now());
  CREATE TABLE IF NOT EXISTS bench_events (id uuid PRIMARY KEY, subject text, envelope jsonb, created_at timestamptz DEFAULT now());`;
const BARE_PENDING = `INSERT INTO bench_queue (id, org_id, device_id, status)
  SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending' FROM generate_series(1, $1::int)
  RETURNING id`;

export const READS = {
  'list, page 1': '/pam/elevation-requests?limit=10&page=1',
  'list, page 1000': '/pam/elevation-requests?limit=10&page=1000',
  active: '/pam/active',
} as const;
type Measure = keyof typeof READS | 'respond';

export interface QueueWorld {
  readonly product: RunningProduct;
  readonly options: BenchOptions;
  readonly door: DirectDoor;
  readonly principal: Principal;
  readonly rows: QueueRows;
}

const headersOf = ({ door, principal }: QueueWorld): Promise<Record<string, string>> =>
  door.headers(principal, 'technician');
export const read = async (world: QueueWorld, path: string): Promise<unknown> =>
  expectStatus(200, world.door.url(path), { headers: await headersOf(world) });
const approve = (headers?: Send['headers']): Send => ({
  method: 'POST',
  body: { decision: 'approve', durationMinutes: 15 },
  headers,
});

export async function respond(world: QueueWorld, id: string | undefined): Promise<unknown> {
  return expectStatus(200, world.door.url(`/pam/elevation-requests/${id}/respond`), approve(await headersOf(world)));
}

/** Decisions on pending requests, one at a time. */
export async function driveResponses(
  ids: string[],
  seconds: number,
  once: (id: string | undefined) => Promise<unknown>,
): Promise<Driven> {
  return drive({ seconds, clients: CLIENTS, once: () => once(ids.pop()) });
}

/** All measurements of one size of history: the lists in turn, then decisions, which add to the open requests. */
async function measureAll(world: QueueWorld): Promise<Map<Measure, Driven[]>> {
  const { seconds, rounds } = world.options;
  const measured = new Map<Measure, Driven[]>();
  const add = (name: Measure, driven: Driven): unknown => measured.set(name, [...(measured.get(name) ?? []), driven]);
  for (const path of Object.values(READS))
    await drive({ seconds: WARM_UP_SECONDS, clients: CLIENTS, once: () => read(world, path) });
  await repeated(rounds, async () => {
    for (const [name, path] of Object.entries(READS))
      add(
        name as Measure,
        await drive({
          seconds: Math.min(MAX_READ_SECONDS, seconds),
          clients: CLIENTS,
          once: () => read(world, path),
        }),
      );
  });
  await repeated(rounds, async () => {
    const ids = await world.rows.pending(PENDING_PER_SECOND * seconds);
    await untilQuiet(world.product);
    add('respond', await driveResponses(ids, seconds, (id) => respond(world, id)));
    await untilQuiet(world.product);
  });
  return measured;
}

const mid = (runs: readonly Driven[] | undefined, value: (run: Driven) => number): number =>
  median((runs ?? []).map(value));

function sayHistories(
  short: ReadonlyMap<Measure, Driven[]>,
  long: ReadonlyMap<Measure, Driven[]>,
  history: number,
): void {
  const p95 = (runs: readonly Driven[] | undefined): number => mid(runs, (run) => run.p95);
  const rows = [...short].map(([name, runs]) => {
    const grown = long.get(name) ?? [];
    const failures = [...runs, ...grown].reduce((sum, run) => sum + run.failures, 0);
    return [
      name,
      fine(p95(runs)),
      fine(p95(grown)),
      fine(p95(grown) / p95(runs)),
      whole(mid(grown, ({ perSecond }) => perSecond)),
      String(failures),
    ];
  });
  say(
    table([
      ['', `p95 ms, ${SHORT_HISTORY} rows`, `p95 ms, ${history} rows`, 'ratio', 'per second', 'failures'],
      ...rows,
    ]),
  );
  const complaint = [...short.values(), ...long.values()].flat().find((run) => run.complaint)?.complaint;
  if (complaint) say(`first failure: ${complaint}`);
}

async function statements(world: QueueWorld): Promise<void> {
  const log = await StatementLog.open(world.product, 'pam');
  for (const [name, path] of Object.entries(READS)) {
    const counted = await log.during(() => repeated(COUNTED, () => read(world, path)));
    say(`statements of ${name}: ${fine(counted.statements.length / COUNTED)}`);
  }
  const ids = await world.rows.pending(COUNTED);
  const counted = await log.during(() => repeated(COUNTED, (round) => respond(world, ids[round])));
  say(
    `statements of respond: ${fine(counted.statements.length / COUNTED)} (PostgreSQL's log, without BEGIN and COMMIT)`,
  );
}

/** The comparison as a table, the CPU of one decision by part, and the ratio. */
function sayRespond(runs: Record<'ours' | 'bare', readonly Driven[]>, parts: string): void {
  const row = (name: string, of: readonly Driven[]): string[] => [
    name,
    whole(mid(of, ({ perSecond }) => perSecond)),
    fine(mid(of, ({ p50 }) => p50)),
    fine(mid(of, ({ p95 }) => p95)),
    String(of.reduce((sum, { failures }) => sum + failures, 0)),
  ];
  say(
    table([
      ['respond', 'per second', 'p50 ms', 'p95 ms', 'failures'],
      row('pam, directly', runs.ours),
      row('bare Fastify server', runs.bare),
    ]),
  );
  say(`CPU ms of one respond: ${parts}`);
  say(
    `respond ratio to the bare server: ${fine(mid(runs.ours, ({ perSecond }) => perSecond) / mid(runs.bare, ({ perSecond }) => perSecond))}`,
  );
}

/** The same decision by the smallest server, on the same PostgreSQL, alternating with ours. */
async function compareWithBare(world: QueueWorld): Promise<void> {
  const {
    product,
    options: { seconds, rounds },
  } = world;
  const url = adminUrl(product, 'pam');
  await connected(url, (client) => client.query(BARE_TABLES));
  const bare = await startChild<{ url: string }>('./bare-respond-child.js', [url]);
  const runs = { ours: [] as Driven[], bare: [] as Driven[] };
  let parts = '';
  try {
    await repeated(rounds, async () => {
      const [ours, theirs] = [
        await world.rows.pending(PENDING_PER_SECOND * seconds),
        await connected(url, (client) =>
          client.query<{ id: string }>(BARE_PENDING, [PENDING_PER_SECOND * seconds * 2]),
        ),
      ];
      await untilQuiet(product);
      const before = cpuUse(product);
      const driven = await driveResponses(ours, seconds, (id) => respond(world, id));
      runs.ours.push(driven);
      await untilQuiet(product);
      parts = costSince(product, before, driven.answered)
        .parts.map(([part, ms]) => `${part} ${fine(ms)}`)
        .join(', ');
      runs.bare.push(
        await driveResponses(
          theirs.rows.map(({ id }) => id),
          seconds,
          (id) => expectStatus(200, `${bare.ready.url}/requests/${id}/respond`, approve()),
        ),
      );
    });
  } finally {
    await bare.stop();
  }
  sayRespond(runs, parts);
}

/** A queue with a short history. */
export async function openQueue(product: RunningProduct, tenant: Tenant, options: BenchOptions): Promise<QueueWorld> {
  const rows = new QueueRows(product, tenant);
  await rows.prepare();
  await rows.growTo(SHORT_HISTORY);
  const door = await DirectDoor.open(product, 'pam');
  return { product, options, rows, door, principal: partnerPrincipal(tenant.partnerId) };
}

/** The requests of a technician while the history of a large organisation grows, sent to the service directly. */
export async function benchQueue(options: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const world = await openQueue(product, await makeTenant(product, 1), options);
    const { rows } = world;
    const short = await measureAll(world);
    await rows.clearDecided();
    await rows.growTo(options.history);
    await untilQuiet(product);
    const long = await measureAll(world);
    sayHistories(short, long, options.history);
    await statements(world);
    await compareWithBare(world);
  });
}
