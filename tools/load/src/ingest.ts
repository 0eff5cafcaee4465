import { newId } from '@gatehouse/crypto';
import { connected, type RunningProduct } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { DirectDoor } from './callers.ts';
import { startChild } from './child.ts';
import { type LightLoad, measureLightly } from './light-load.ts';
import type { Measured } from './load.ts';
import { type BenchOptions, fine, median, repeated, say, table, whole } from './command-line.ts';
import { pgbench } from './pgbench.ts';
import { costSince, type CpuCost, cpuUse } from './processes.ts';
import { untilQuiet, withProduct } from './product.ts';
import { adminUrl, StatementLog } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const CONNECTIONS = 128;
const DEVICES = 50;
const RULE_COUNTS = [0, 50, 1000] as const;
const PGBENCH_CLIENTS = 16;
/** The number of requests after which the engine has compiled the code paths. */
const WARM_UP_ROUNDS = 2;
const DRAIN_PATIENCE_MS = 60_000;
/** Of 16 MB: what `min_wal_size` keeps. */
const LOG_SEGMENTS = 32;

interface Round extends Measured {
  readonly cost: CpuCost;
  /**
   * The number of acknowledged reports that were not in the audit log when the load ended, and the seconds until they
   * were.
   */
  readonly backlog: number;
  readonly drained: number;
}

/**
 * The tables of the comparison: the same three rows that a report leaves, in one statement, without row security or
 * services. They are emptied after each run, so that autovacuum does not run while the product is measured.
 */
const BARE_TABLES = `
  CREATE TABLE IF NOT EXISTS bench_requests (id uuid PRIMARY KEY, org_id uuid, device_id uuid, path text, signer text, hash text, username text, status text, requested_at timestamptz DEFAULT now()) WITH (autovacuum_enabled = off);
  CREATE TABLE IF NOT EXISTS bench_outbox (id uuid PRIMARY KEY, sequence bigint GENERATED ALWAYS AS IDENTITY, subject text, envelope jsonb, created_at timestamptz DEFAULT now()) WITH (autovacuum_enabled = off);`;
const FORGET_BARE = 'TRUNCATE bench_requests, bench_outbox';
const ENVELOPE = `{"action":"pam.elevation_request.submit","resource":{"type":"elevation_request"},"details":{"status":"pending","flowType":"uac_intercept"},"ip":"127.0.0.1","userAgent":"agent/1.0"}`;
const BARE_INSERT = `WITH request AS (INSERT INTO bench_requests (id, org_id, device_id, path, signer, hash, username,
  status)
  VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'C:\\Program Files\\Tool\\tool.exe', 'Example Ltd',
    repeat('ab', 32), 'ACME\\ada', 'pending') RETURNING id)
  INSERT INTO bench_outbox (id, subject, envelope) SELECT gen_random_uuid(), s.subject, '${ENVELOPE}'::jsonb
    FROM request, (VALUES ('audit.pam'), ('pam.elevation.requested.v1')) AS s(subject);`;
/**
 * The same rows in the product's own tables, with their checks, indexes and row security. They are marked as published,
 * so that the relay does not read them.
 */
const OWN_INSERT = `WITH request AS (INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname,
  flow_type, status, subject_username, target_executable_path, target_executable_hash, target_executable_signer, pid,
  command_line, observed_at, rulebook_version, pending_until)
  VALUES (overlay(uuid_from_instant(now())::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'bench', 'uac_intercept', 'pending', 'ACME\\ada', 'C:\\Program Files\\Tool\\tool.exe', repeat('ab', 32), 'Example Ltd', 4711, 'tool.exe --run', now(), 1, now() + interval '1 day') RETURNING id)
  INSERT INTO outbox (id, subject, envelope, published_at)
    SELECT gen_random_uuid(), s.subject, '${ENVELOPE}'::json, now()
    FROM request, (VALUES ('audit.pam'), ('pam.elevation.requested.v1')) AS s(subject);`;
/** Lets the owner of the tables past row security, as the product's own work passes. */
const AS_SYSTEM = '?options=-c%20app.system%3Don';

/** The members that are the same in every report. */
const BODY = {
  subject_username: 'ACME\\ada',
  target_executable_path: 'C:\\Program Files\\Tool\\tool.exe',
  target_executable_hash: 'ab'.repeat(32),
  target_executable_signer: 'Example Ltd',
  pid: 4711,
  command_line: `tool.exe --run ${'0'.repeat(36)}`,
  observed_at: new Date(0).toISOString(),
};
const BODY_LENGTH = JSON.stringify(BODY).length;

/** Rules of which none matches, so that all are evaluated. */
async function addRules({ admin, orgId }: Tenant, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await admin.must('POST', '/pam/rules', {
      orgId,
      name: `rule ${at}`,
      verdict: 'auto_deny',
      matchPathGlob: `C:\\Other\\${at}\\**\\*.exe`,
      priority: at,
    });
  }
}

/** Reports of all devices in turn, prepared before the measurement. */
export function reportsOf(
  url: string,
  { devices }: Tenant,
  { seconds, headers = {} }: { seconds: number; headers?: Record<string, string> },
): LightLoad {
  const heads = devices.map(({ id, token }) => {
    const lines = Object.entries({
      host: new URL(url).host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': BODY_LENGTH,
      ...headers,
    });
    return `POST /api/v1/agents/${id}/elevation-requests HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  });
  let turn = 0;
  const next = (): string =>
    `${heads[turn++ % heads.length]}${JSON.stringify({ ...BODY, command_line: `tool.exe --run ${newId()}`, observed_at: new Date().toISOString() })}`;
  return { url, seconds, connections: CONNECTIONS, next };
}

/** The same past the gateway, as the gateway would send it. */
async function reportsAtTheDoor(product: RunningProduct, tenant: Tenant, seconds: number): Promise<LightLoad> {
  const door = await DirectDoor.open(product, 'pam-ingest');
  return reportsOf(door.url(''), tenant, { seconds, headers: await door.headers(null, 'anonymous') });
}

/** Prepares the state of a server in use: its log segments are recycled, and no commit waits for a new one. */
async function useLogSegments(product: RunningProduct): Promise<void> {
  await connected(adminUrl(product, 'pam'), async (client) => {
    for (let made = 0; made < LOG_SEGMENTS; made++) {
      await client.query(`SELECT pg_logical_emit_message(false, 'bench', '')`);
      await client.query('SELECT pg_switch_wal()');
    }
    await client.query('CHECKPOINT');
  });
}

const AUDITED = 'SELECT coalesce(sum(length), 0)::int AS entries FROM chains';
const audited = (product: RunningProduct): Promise<number> =>
  connected(
    adminUrl(product, 'audit'),
    async (client) => (await client.query<{ entries: number }>(AUDITED)).rows[0]?.entries ?? 0,
  );

/** Waits until the acknowledged reports have been published and audited, and returns how long that took. */
async function drainOf(product: RunningProduct, goal: number): Promise<Pick<Round, 'backlog' | 'drained'>> {
  const since = Date.now();
  const backlog = Math.max(0, goal - (await audited(product)));
  while ((await audited(product)) < goal && Date.now() - since < DRAIN_PATIENCE_MS) await pause(100);
  return { backlog, drained: (Date.now() - since) / 1000 };
}

async function round(product: RunningProduct, load: LightLoad): Promise<Round> {
  await useLogSegments(product);
  await untilQuiet(product);
  const [before, entries] = [cpuUse(product), await audited(product)];
  const measured = await measureLightly(load);
  const drain = await drainOf(product, entries + measured.answered);
  await untilQuiet(product);
  return { ...measured, ...drain, cost: costSince(product, before, measured.answered) };
}

const mid = (runs: readonly Round[], value: (run: Round) => number): number => median(runs.map(value));
const line = (name: string, runs: readonly Round[]): string[] => [
  name,
  whole(mid(runs, ({ perSecond }) => perSecond)),
  fine(mid(runs, ({ p50 }) => p50)),
  fine(mid(runs, ({ p99 }) => p99)),
  fine(mid(runs, ({ cost }) => cost.ours)),
  fine(mid(runs, ({ cost }) => cost.postgres)),
  whole(mid(runs, ({ backlog }) => backlog)),
  fine(mid(runs, ({ drained }) => drained)),
  String(runs.reduce((sum, { failures }) => sum + failures, 0)),
];
const perSecond = (runs: readonly Round[]): number => mid(runs, (run) => run.perSecond);

/** Under load, because reports that arrive together share their statements. */
async function statementsPerReport(product: RunningProduct, load: LightLoad): Promise<string> {
  let answered = 0;
  const { statements, transactions } = await (
    await StatementLog.open(product, 'pam')
  ).during(async () => {
    ({ answered } = await measureLightly({ ...load, seconds: 1 }));
  });
  return `statements per report: ${fine(statements.length / answered)} in ${fine(transactions / answered)} transactions (PostgreSQL's log, without BEGIN and COMMIT)`;
}

/**
 * The rate at which two minimal Node processes on the same machine pass on the same requests and commit them in
 * batches.
 */
async function bareServers(
  databaseUrl: string,
  tenant: Tenant,
  seconds: number,
): Promise<{ proxied: number; direct: number }> {
  const store = await startChild<{ url: string }>('./bare-ingest-child.js', [databaseUrl]);
  const proxy = await startChild<{ url: string }>('./bare-proxy-child.js', [store.ready.url]);
  try {
    await measureLightly(reportsOf(proxy.ready.url, tenant, { seconds }));
    const { perSecond: proxied } = await measureLightly(reportsOf(proxy.ready.url, tenant, { seconds }));
    const { perSecond: direct } = await measureLightly(reportsOf(store.ready.url, tenant, { seconds }));
    return { proxied, direct };
  } finally {
    await proxy.stop();
    await store.stop();
  }
}

interface Figures {
  /** Rounds by the number of rules of the organisation. */
  readonly byRules: ReadonlyMap<number, Round[]>;
  /** Rounds at 70 % of the highest rate. */
  readonly calm: Round[];
  /** Rounds that go to pam-ingest instead of the gateway. */
  readonly direct: Round[];
  /** pgbench transactions a second into bare tables. */
  readonly bare: number[];
  /** pgbench transactions a second into the product's own tables. */
  readonly own: number[];
  readonly servers: { proxied: number; direct: number };
}

function sayRounds({ byRules, calm, direct }: Figures): void {
  const [none = []] = [...byRules.values()];
  const head = [
    'agent reports',
    'reports/s',
    'p50 ms',
    'p99 ms',
    'CPU ms ours',
    'CPU ms PostgreSQL',
    'not audited at the end',
    's until they were',
    'failures',
  ];
  say(
    table([
      head,
      ...[...byRules].map(([count, runs]) => line(`${count} rules`, runs)),
      line('1000 rules, at 70 % of that', calm),
      line('none, past the gateway', direct),
    ]),
  );
  say(`p99 at 70 %, round by round: ${calm.map(({ p99 }) => fine(p99)).join(', ')} ms`);
  say(
    `CPU ms of one report: ${none
      .at(-1)
      ?.cost.parts.map(([part, ms]) => `${part} ${fine(ms)}`)
      .join(', ')}`,
  );
}

function sayRatios({ byRules, direct, bare, own, servers }: Figures): void {
  const [none = [], , most = []] = [...byRules.values()];
  say(
    `pgbench -M prepared -c ${PGBENCH_CLIENTS}: ${whole(median(bare))} transactions/s into bare tables, ${whole(median(own))} into the product's own`,
  );
  say(`ingest ratio to pgbench: ${fine(perSecond(none) / median(bare))}`);
  say(`ingest ratio to pgbench past the gateway: ${fine(perSecond(direct) / median(bare))}`);
  say(`ingest ratio to pgbench on the product's own tables: ${fine(perSecond(none) / median(own))}`);
  say(
    `bare Fastify servers, batched commits: ${whole(servers.proxied)}/s behind a proxy (ratio to pgbench ${fine(servers.proxied / median(bare))}), ${whole(servers.direct)}/s without (${fine(servers.direct / median(bare))})`,
  );
  say(
    `ingest ratio to the bare servers: ${fine(perSecond(none) / servers.proxied)}, past the gateway ${fine(perSecond(direct) / servers.direct)}`,
  );
  say(`cost of 1000 rules: ${fine((1 - perSecond(most) / perSecond(none)) * 100)} %`);
}

async function compare(product: RunningProduct, tenant: Tenant, { seconds, rounds }: BenchOptions): Promise<void> {
  const owner = product.endpoints.databases['pam']?.owner ?? '';
  const load = reportsOf(product.baseUrl, tenant, { seconds });
  const direct: Round[] = [];
  const byRules = new Map<number, Round[]>(RULE_COUNTS.map((count) => [count, []]));
  const [bare, own]: [number[], number[]] = [[], []];
  const compareOnce = async (): Promise<void> => {
    await useLogSegments(product);
    bare.push(await pgbench({ url: owner, script: BARE_INSERT, clients: PGBENCH_CLIENTS, seconds }, say));
    await useLogSegments(product);
    own.push(
      await pgbench({ url: `${owner}${AS_SYSTEM}`, script: OWN_INSERT, clients: PGBENCH_CLIENTS, seconds }, say),
    );
    await connected(owner, (client) => client.query(FORGET_BARE));
  };
  const servers = await bareServers(owner, tenant, seconds);
  let rules = 0;
  for (const [count, runs] of byRules) {
    await addRules(tenant, rules, count);
    rules = count;
    await repeated(rounds, async () => {
      runs.push(await round(product, load));
      if (count > 0) return;
      direct.push(await round(product, await reportsAtTheDoor(product, tenant, seconds)));
      await compareOnce();
    });
  }
  const [, , most = []] = [...byRules.values()];
  const calm: Round[] = [];
  await repeated(
    rounds,
    async () => void calm.push(await round(product, { ...load, overallRate: Math.floor(perSecond(most) * 0.7) })),
  );
  const figures = { byRules, calm, direct, bare, own, servers };
  sayRounds(figures);
  say(await statementsPerReport(product, load));
  sayRatios(figures);
}

/** The agents' hot path through the gateway, against pgbench committing the same rows on the same PostgreSQL. */
export async function benchIngest(options: BenchOptions): Promise<void> {
  await withProduct({ RATE_LIMITS: 'agentReport=1000000/1' }, async (product) => {
    await connected(product.endpoints.databases['pam']?.owner ?? '', (client) => client.query(BARE_TABLES));
    const tenant = await makeTenant(product, DEVICES);
    await measureLightly(reportsOf(product.baseUrl, tenant, { seconds: WARM_UP_ROUNDS * options.seconds }));
    await compare(product, tenant, options);
  });
}
