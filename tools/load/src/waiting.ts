import { connected, freePort, type RunningProduct } from '@gatehouse/stack';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf } from './capacity/meter.ts';
import { type Child, startChild } from './child.ts';
import { type BenchOptions, fine, say, table, whole } from './command-line.ts';
import { cpuUse, secondsOf } from './processes.ts';
import { withProduct } from './product.ts';
import { adminUrl } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';
import { agentOf, type AgentsMet } from './waiting-child.ts';

const SIZES = [10_000, 20_000, 30_000];
/** The reconnect storm. */
const STORM = 20_000;
/** A process may open 20 000 files here: a gateway needs two for each agent, the others one. */
const AT_ONE_GATEWAY = 9_000;
const AT_ONE_PROCESS = 15_000;
/** Each agent renews its poll in this time, after 25 s. */
const WINDOW_SECONDS = 30;
const LOOK_MS = 200;
const TIMEOUT_MS = 180_000;
/** Every tenth agent gets a command while no gateway runs. */
const COMMAND_EVERY = 10;

const SEED = `
  INSERT INTO device_ref (device_id, partner_id, org_id, site_id, group_ids, hostname, status, agent_token_hash, deleted,
    version)
  SELECT overlay($4 PLACING lpad(n::text, 12, '0') FROM 25)::uuid, $1::uuid, $2::uuid, $3::uuid, '{}', 'HOST-' || n,
    'online', encode(sha256(('gha_bench-agent-' || n)::bytea), 'hex'), false, 1 FROM generate_series(0, $5::int - 1) AS n`;
const QUEUE = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, type)
  SELECT gen_random_uuid(), partner_id, org_id, device_id, 'revoke_elevation' FROM device_ref
   WHERE hostname LIKE 'HOST-%' AND substr(hostname, 6)::int % ${COMMAND_EVERY} = 0 AND substr(hostname, 6)::int < $1`;
const OPEN = `SELECT count(*)::int AS count FROM device_commands WHERE status IN ('queued', 'claimed')`;

async function asked(product: RunningProduct, sql: string, ...values: unknown[]): Promise<number> {
  return connected(adminUrl(product, 'pam'), async (client) => {
    const { rows, rowCount } = await client.query<{ count: number }>(sql, values);
    return rows[0]?.count ?? rowCount ?? 0;
  });
}

const seed = ({ partnerId, orgId, siteId }: Tenant, product: RunningProduct, agents: number): Promise<number> =>
  asked(product, SEED, partnerId, orgId, siteId, agentOf(0).id, agents);

/** One more process of a service of the product, with the same program and environment at ports of its own. */
class Copy {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly command: readonly string[],
    private readonly env: NodeJS.ProcessEnv,
    readonly url: string,
  ) {}

  static async of(product: RunningProduct, service: string, settings: Readonly<Record<string, string>>): Promise<Copy> {
    const read = (file: string): string[] =>
      readFileSync(`/proc/${product.pidOf(service)}/${file}`, 'utf8')
        .split('\0')
        .filter(Boolean);
    const env = Object.fromEntries(read('environ').map((one) => one.split(/=(.*)/s).slice(0, 2)) as [string, string][]);
    const [port, adminPort] = [String(await freePort()), String(await freePort())];
    const own = { ...env, PORT: port, GATEWAY_PORT: port, ADMIN_PORT: adminPort, ...settings };
    const copy = new Copy(read('cmdline'), own, `http://127.0.0.1:${port}`);
    await copy.start();
    return copy;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** How many agents wait at this gateway, by its own count. */
  async waiting(): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${this.env['ADMIN_PORT']}/metrics`)).text();
    return Number(/^gatehouse_waiting_agents\{.*\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  }

  async start(): Promise<void> {
    const [program = '', ...args] = this.command;
    this.child = spawn(program, args, { env: this.env, stdio: 'ignore' });
    const ready = `http://127.0.0.1:${this.env['ADMIN_PORT']}/health/ready`;
    const isReady = (): Promise<boolean> =>
      fetch(ready)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await isReady())) await pause(LOOK_MS);
  }

  async kill(): Promise<void> {
    if (!this.child?.kill('SIGKILL')) return;
    await once(this.child, 'exit');
  }
}

/** Gateways, replicas of pam-ingest, and agents in processes of their own. */
class Scene {
  private readonly children: Child<{ url: string }>[] = [];
  private begun = 0;

  constructor(
    readonly product: RunningProduct,
    readonly gateways: readonly Copy[],
    readonly ingests: readonly Copy[],
  ) {}

  /** Resolves when so many agents wait. */
  async grow(agents: number): Promise<number> {
    const since = performance.now();
    const doors = JSON.stringify(this.gateways.map(({ url }) => url));
    while (this.begun < agents) {
      const to = Math.min(agents, this.begun + AT_ONE_PROCESS);
      this.children.push(await startChild('./waiting-child.js', [doors, String(this.begun), String(to)]));
      this.begun = to;
    }
    await this.untilWaiting(agents);
    return (performance.now() - since) / 1000;
  }

  /** A few are always between two polls. */
  async untilWaiting(agents: number): Promise<void> {
    await this.until(async () => {
      const counts = await Promise.all(this.gateways.map((gateway) => gateway.waiting()));
      return counts.reduce((sum, count) => sum + count, 0) >= agents * 0.99;
    });
  }

  async met(): Promise<AgentsMet> {
    const all = await Promise.all(
      this.children.map(async ({ ready: { url } }) => (await (await fetch(url)).json()) as AgentsMet),
    );
    const failures: Record<string, number> = {};
    for (const [name, count] of all.flatMap((one) => Object.entries(one.failures)))
      failures[name] = (failures[name] ?? 0) + count;
    return { answered: all.reduce((sum, { answered }) => sum + answered, 0), failures };
  }

  async until(condition: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + TIMEOUT_MS; !(await condition()); await pause(LOOK_MS))
      if (Date.now() > deadline)
        throw new Error(`not after ${TIMEOUT_MS / 1000} s: ${JSON.stringify(await this.met())}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => child.stop()));
    await Promise.all([...this.gateways, ...this.ingests].map((copy) => copy.kill()));
  }
}

const sumOf = (copies: readonly Copy[], of: (pid: number) => number): number =>
  copies.reduce((sum, { pid }) => sum + of(pid), 0);
const kilobytesOf = (pid: number): number => fieldOf(pid, 'status', 'VmRSS');
const postgresSeconds = (product: RunningProduct): number =>
  [...cpuUse(product)].filter(([name]) => name.startsWith('postgres')).reduce((sum, [, seconds]) => sum + seconds, 0);

const complaints = (failures: AgentsMet['failures']): string =>
  Object.entries(failures)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || '0';

const HEAD = [
  'agents',
  'gateways',
  'all wait after s',
  'KB each: gateway',
  'pam-ingest',
  'polls/s',
  'CPU ms of a poll: gateway',
  'pam-ingest',
  'PostgreSQL',
  'failures so far',
];

async function measured(scene: Scene, agents: number, atRest: readonly [number, number]): Promise<string[]> {
  const { product, gateways, ingests } = scene;
  const after = await scene.grow(agents);
  const used = (): number[] => [sumOf(gateways, secondsOf), sumOf(ingests, secondsOf), postgresSeconds(product)];
  const [before, cpu] = [await scene.met(), used()];
  await pause(WINDOW_SECONDS * 1000);
  const [{ answered, failures }, cpuAfter] = [await scene.met(), used()];
  const polls = answered - before.answered;
  const memory = [gateways, ingests].map((copies, at) => (sumOf(copies, kilobytesOf) - (atRest[at] ?? 0)) / agents);
  return [
    String(agents),
    String(gateways.length),
    fine(after),
    ...memory.map(whole),
    whole(polls / WINDOW_SECONDS),
    ...cpuAfter.map((seconds, at) => fine(((seconds - (cpu[at] ?? 0)) * 1000) / polls)),
    complaints(failures),
  ];
}

/** Kills every gateway, and queues commands while none runs: all agents must come back, and each command arrive. */
async function storm(scene: Scene, agents: number): Promise<void> {
  const { product, gateways } = scene;
  await scene.grow(agents);
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  const since = performance.now();
  const seconds = (): string => whole((performance.now() - since) / 1000);
  const commands = await asked(product, QUEUE, agents);
  await Promise.all(gateways.map((gateway) => gateway.start()));
  const served = seconds();
  await scene.untilWaiting(agents);
  const waiting = seconds();
  await scene.until(async () => (await asked(product, OPEN)) === 0).catch((error: unknown) => say(String(error)));
  say(
    `reconnect storm: ${agents} agents, ${gateways.length} gateways killed, serving again after ${served} s; all wait again after ${waiting} s; ${commands} commands queued in between, the last result after ${seconds()} s, lost ${await asked(product, OPEN)}`,
  );
  say(`failures that agents met: ${complaints((await scene.met()).failures)}`);
}

/** Agents that wait for commands, and a storm of them: what one holds and costs at the gateway and behind it. */
export async function benchWaiting({ agents }: BenchOptions): Promise<void> {
  const sizes = agents > 0 ? [agents] : SIZES;
  const most = Math.max(...sizes);
  await withProduct({}, async (product) => {
    await seed(await makeTenant(product, 0), product, most);
    const ingests: Copy[] = [];
    while (ingests.length * AT_ONE_PROCESS < most) ingests.push(await Copy.of(product, 'pam-ingest', {}));
    const gateways: Copy[] = [];
    while (gateways.length * AT_ONE_GATEWAY < most) {
      const ingest = ingests[gateways.length % ingests.length]?.url ?? '';
      gateways.push(await Copy.of(product, 'gateway', { PAM_INGEST_REPLICAS_URL: ingest }));
    }
    const scene = new Scene(product, gateways, ingests);
    try {
      const atRest = [sumOf(gateways, kilobytesOf), sumOf(ingests, kilobytesOf)] as const;
      const rows: string[][] = [];
      for (const size of sizes) {
        rows.push(await measured(scene, size, atRest));
        if (size === STORM || agents > 0) await storm(scene, size);
      }
      say(table([HEAD, ...rows]));
    } finally {
      await scene.stop();
    }
  });
}
