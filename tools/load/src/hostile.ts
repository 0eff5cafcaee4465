import { newId } from '@gatehouse/crypto';
import { connected, type RunningProduct } from '@gatehouse/stack';
import { startChild } from './child.ts';
import { measureLightly } from './light-load.ts';
import type { Measured } from './load.ts';
import { type BenchOptions, fine, median, say, type Scenario, table, whole } from './command-line.ts';
import { untilQuiet, withProduct } from './product.ts';
import { adminUrl } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';

/**
 * One kind of hostile load beside a quiet tenant; prints the quiet tenant's p99 with and without it, and their ratio.
 */
type HostileLoad = (product: RunningProduct, options: BenchOptions) => Promise<void>;

const LOADS: readonly HostileLoad[] = [hostileReports];

/** A hostile tenant beside a quiet one, under the limits as they are shipped. */
export const benchHostile: Scenario = (options) =>
  withProduct({}, async (product) => {
    for (const load of LOADS) await load(product, options);
  });

const QUIET_DEVICES = 10;
const QUIET_PER_SECOND = 50;
const HOSTILE_DEVICES = 10;
/** The rate that the limit of a device permits. */
const HOSTILE_PER_SECOND = 100;
const HOSTILE_RULES = 22;
const QUIET_RULES = 50;
const MAX_GLOB = 1000;

async function addRules({ admin, orgId }: Tenant, globs: readonly string[]): Promise<void> {
  for (const [at, matchPathGlob] of globs.entries()) {
    await admin.must('POST', '/pam/rules', {
      orgId,
      name: `rule ${at}`,
      verdict: 'auto_deny',
      matchPathGlob,
      priority: at,
    });
  }
}

/** Each technician gets approvals for the hostile prompts, up to the limit of open ones. */
async function giveTechniciansPhones(product: RunningProduct): Promise<void> {
  await connected(adminUrl(product, 'pam'), (client) =>
    client.query(
      `INSERT INTO push_reach SELECT user_id, 1, 1 FROM technician_ref ON CONFLICT (user_id) DO UPDATE
        SET subscriptions = 1`,
    ),
  );
}

function quietReports(url: string, { devices }: Tenant, seconds: number): Promise<Measured> {
  let turn = 0;
  const next = (): string => {
    const { id, token } = devices[turn++ % devices.length]!;
    const body = JSON.stringify({
      subject_username: 'ACME\\ada',
      target_executable_path: 'C:\\Program Files\\Tool\\tool.exe',
      target_executable_signer: 'Example Ltd',
      command_line: newId(),
      observed_at: new Date().toISOString(),
    });
    const head = `POST /api/v1/agents/${id}/elevation-requests HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n`;
    return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  return measureLightly({ url, seconds, connections: devices.length, overallRate: QUIET_PER_SECOND, next });
}

async function beside(product: RunningProduct, hostile: Tenant, measure: () => Promise<Measured>): Promise<Measured> {
  const args = [product.baseUrl, JSON.stringify(hostile.devices), String(HOSTILE_PER_SECOND)];
  const child = await startChild('./hostile-reports-child.js', args);
  try {
    return await measure();
  } finally {
    await child.stop();
  }
}

const openCards = (product: RunningProduct, { orgId }: Tenant): Promise<number> =>
  connected(adminUrl(product, 'pam'), async (client) => {
    const most = `SELECT coalesce(max(count), 0)::int AS most FROM (
      SELECT count(*) FROM approvals WHERE org_id = $1 AND status = 'pending' GROUP BY device_id, user_id) AS cards`;
    return (await client.query<{ most: number }>(most, [orgId])).rows[0]?.most ?? 0;
  });

/**
 * Expensive globs with paths made to match them, and endless prompts, from devices of one tenant, beside reports of
 * another tenant.
 */
async function hostileReports(product: RunningProduct, { seconds, rounds }: BenchOptions): Promise<void> {
  const quiet = await makeTenant(product, QUIET_DEVICES);
  const hostile = await makeTenant(product, HOSTILE_DEVICES, quiet.admin);
  await addRules(
    quiet,
    Array.from({ length: QUIET_RULES }, (_, at) => `C:\\Other\\${at}\\**\\*.exe`),
  );
  await addRules(
    hostile,
    Array.from({ length: HOSTILE_RULES }, (_, at) => `**z${'?'.repeat(MAX_GLOB - at)}**`),
  );
  await giveTechniciansPhones(product);
  await quietReports(product.baseUrl, quiet, seconds);
  const [alone, besides]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await untilQuiet(product);
    alone.push(await quietReports(product.baseUrl, quiet, seconds));
    besides.push(await beside(product, hostile, () => quietReports(product.baseUrl, quiet, seconds)));
  }
  const line = (name: string, runs: readonly Measured[]): string[] => [
    name,
    whole(median(runs.map(({ perSecond }) => perSecond))),
    fine(median(runs.map(({ p50 }) => p50))),
    fine(median(runs.map(({ p99 }) => p99))),
    String(runs.reduce((sum, { failures }) => sum + failures, 0)),
  ];
  say(
    table([
      ['reports of a quiet tenant', 'reports/s', 'p50 ms', 'p99 ms', 'failures'],
      line('alone', alone),
      line('beside hostile reports', besides),
    ]),
  );
  const p99 = (runs: readonly Measured[]): number => median(runs.map((run) => run.p99));
  say(
    `quiet p99 beside ${HOSTILE_PER_SECOND} hostile reports/s, ratio to alone: ${fine(p99(besides) / p99(alone))} (target: at most 2)`,
  );
  say(`most open approvals of one hostile device for one technician: ${await openCards(product, hostile)}`);
}
