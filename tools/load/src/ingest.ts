import { newId } from '@gatehouse/crypto';
import { type RunningProduct, startProduct } from '@gatehouse/stack';
import pg from 'pg';
import { measure, type Measured } from './load.ts';
import { pgbench } from './pgbench.ts';
import { cpuSeconds } from './processes.ts';
import { fine, median, say, table, whole } from './report.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 64;
const DEVICES = 50;
const RULE_COUNTS = [0, 50, 1000] as const;
const PGBENCH_CLIENTS = 16;

interface Round extends Measured {
  readonly cpuMsPerReport: number;
  readonly statementsPerReport: number;
}

/** The comparison's tables: the same three rows as a report leaves, in one statement, without row security or services around them. */
const BARE_TABLES = `
  CREATE TABLE IF NOT EXISTS bench_requests (id uuid PRIMARY KEY, org_id uuid, device_id uuid, path text, signer text, hash text, username text, status text, requested_at timestamptz DEFAULT now());
  CREATE TABLE IF NOT EXISTS bench_outbox (id uuid PRIMARY KEY, sequence bigint GENERATED ALWAYS AS IDENTITY, subject text, envelope jsonb, created_at timestamptz DEFAULT now());`;
const ENVELOPE = `{"action":"pam.elevation_request.submit","resource":{"type":"elevation_request"},"details":{"status":"pending","flowType":"uac_intercept"},"ip":"127.0.0.1","userAgent":"agent/1.0"}`;
const BARE_INSERT = `WITH request AS (INSERT INTO bench_requests (id, org_id, device_id, path, signer, hash, username, status)
  VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'C:\\Program Files\\Tool\\tool.exe', 'Example Ltd', repeat('ab', 32), 'ACME\\ada', 'pending') RETURNING id)
  INSERT INTO bench_outbox (id, subject, envelope) SELECT gen_random_uuid(), s.subject, '${ENVELOPE}'::jsonb FROM request, (VALUES ('audit.pam'), ('pam.elevation.requested.v1')) AS s(subject);`;

function report(): string {
  return JSON.stringify({
    subject_username: 'ACME\\ada',
    target_executable_path: 'C:\\Program Files\\Tool\\tool.exe',
    target_executable_hash: 'ab'.repeat(32),
    target_executable_signer: 'Example Ltd',
    pid: 4711,
    command_line: `tool.exe --run ${newId()}`,
    observed_at: new Date().toISOString(),
  });
}

/** Rules that all have to be looked at and none of which matches. */
async function addRules({ admin, orgId }: Tenant, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await admin.must('POST', '/pam/rules', { orgId, name: `rule ${at}`, verdict: 'auto_deny', matchPathGlob: `C:\\Other\\${at}\\**\\*.exe`, priority: at });
  }
}

async function statements(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ calls: string }>('SELECT coalesce(sum(xact_commit), 0) AS calls FROM pg_stat_database WHERE datname = current_database()');
  return Number(rows[0]?.calls ?? 0);
}

async function round(product: RunningProduct, { devices }: Tenant, observer: pg.Client, overallRate?: number): Promise<Round> {
  let turn = 0;
  const before = { cpu: cpuSeconds(product), commits: await statements(observer) };
  const measured = await measure({
    url: product.baseUrl, seconds: SECONDS, connections: CONNECTIONS, method: 'POST', overallRate,
    headers: { 'content-type': 'application/json' },
    next: () => {
      const device = devices[turn++ % devices.length];
      return { path: `/api/v1/agents/${device?.id}/elevation-requests`, body: report(), headers: { authorization: `Bearer ${device?.token}` } };
    },
  });
  const answered = Math.max(1, measured.answered);
  return { ...measured, cpuMsPerReport: ((cpuSeconds(product) - before.cpu) * 1000) / answered, statementsPerReport: ((await statements(observer)) - before.commits) / answered };
}

/** The measurement and what it is compared with, in turn. */
async function rounds(measureOnce: () => Promise<Round>, compare: (() => Promise<unknown>) | null): Promise<Round[]> {
  const runs: Round[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    runs.push(await measureOnce());
    await compare?.();
  }
  return runs;
}

const line = (name: string, runs: readonly Round[]): string[] => [
  name, whole(median(runs.map(({ perSecond }) => perSecond))), fine(median(runs.map(({ p50 }) => p50))), fine(median(runs.map(({ p99 }) => p99))),
  fine(median(runs.map(({ cpuMsPerReport }) => cpuMsPerReport))), fine(median(runs.map(({ statementsPerReport }) => statementsPerReport))), String(runs.reduce((sum, { failures }) => sum + failures, 0)),
];

/** The agents' hot path through the gateway, against pgbench committing the same rows on the same PostgreSQL. */
export async function benchIngest(): Promise<void> {
  const product = await startProduct({ LOG_LEVEL: 'error', RATE_LIMITS: 'agentReport=1000000/1' });
  const owner = product.endpoints.databases['pam']?.owner ?? '';
  const observer = new pg.Client({ connectionString: owner });
  await observer.connect();
  try {
    await observer.query(BARE_TABLES);
    const tenant = await makeTenant(product, DEVICES);
    await round(product, tenant, observer);
    const rows = [['agent reports', 'reports/s', 'p50 ms', 'p99 ms', 'CPU ms each', 'commits each', 'failures']];
    const bare: number[] = [];
    const rates: number[] = [];
    let rules = 0;
    for (const count of RULE_COUNTS) {
      await addRules(tenant, rules, count);
      rules = count;
      const compare = async (): Promise<unknown> => bare.push(await pgbench({ url: owner, script: BARE_INSERT, clients: PGBENCH_CLIENTS, seconds: SECONDS }, say));
      const runs = await rounds(() => round(product, tenant, observer), count === 0 ? compare : null);
      rates.push(median(runs.map(({ perSecond }) => perSecond)));
      rows.push(line(`${count} rules`, runs));
    }
    rows.push(line('1000 rules, at 70 % of that', [await round(product, tenant, observer, Math.floor((rates.at(-1) ?? 0) * 0.7))]));
    say(table(rows));
    say(`pgbench -M prepared -c ${PGBENCH_CLIENTS}: ${whole(median(bare))} transactions/s`);
    say(`ingest ratio to pgbench: ${fine((rates[0] ?? 0) / median(bare))}`);
    say(`cost of 1000 rules: ${fine((1 - (rates.at(-1) ?? 0) / (rates[0] ?? 1)) * 100)} %`);
  } finally {
    await observer.end();
    await product.stop();
  }
}
