import { connected, type RunningProduct } from '@gatehouse/stack';
import { setTimeout as wait } from 'node:timers/promises';
import { DirectDoor, partnerPrincipal } from './callers.ts';
import { drive, type Driven } from './drive.ts';
import { expectStatus, type Send } from './http.ts';
import { type BenchOptions, fine, median, say, table, whole } from './command-line.ts';
import { withProduct, untilQuiet } from './product.ts';
import { QueueRows } from './queue-seed.ts';
import { adminUrl } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const REQUESTS = 200_000;
const RULES = 1000;
const CLIENTS = 4;
const WINDOW_DAYS = 90;
const POLL_MS = 250;
/** The kinds of criteria in turn, so that no single kind decides the result. */
const ADD_RULES = `
  INSERT INTO pam_rules (id, partner_id, org_id, name, verdict, priority, match_hash, match_signer, match_path_glob,
    match_user)
  SELECT gen_random_uuid(), $1, $2, 'rule ' || n, (ARRAY['auto_approve', 'auto_deny', 'require_approval'])[1 + n % 3],
    n,
         CASE WHEN n % 4 = 0 THEN lpad(to_hex(n), 64, '0') END, CASE WHEN n % 4 = 1 THEN 'Vendor ' || n END,
         CASE WHEN n % 4 = 2 THEN '**/tool-' || n % 500 || '.exe' END, CASE WHEN n % 4 = 3 THEN 'CORP\\user-' || n END
    FROM generate_series(1, ${RULES}) AS n`;

interface World {
  readonly product: RunningProduct;
  readonly door: DirectDoor;
  readonly tenant: Tenant;
}

interface Job {
  readonly state: string;
  readonly summary: { readonly totalScanned: number; readonly changed: number } | null;
}

async function call<T>({ door, tenant }: World, path: string, send: Send = {}): Promise<T> {
  const headers = await door.headers(partnerPrincipal(tenant.partnerId), 'technician');
  const { text } = await expectStatus(send.method === 'POST' ? 202 : 200, door.url(path), { ...send, headers });
  return JSON.parse(text) as T;
}

async function replayed(world: World): Promise<{ seconds: number; summary: Job['summary'] }> {
  const { orgId } = world.tenant;
  const rule = { name: 'all tools', verdict: 'auto_approve', matchPathGlob: '**/tool-*.exe', priority: 0 };
  const body = { orgId, windowDays: WINDOW_DAYS, changes: [{ op: 'add', ref: 'tools', rule }] };
  const began = performance.now();
  const { jobId } = await call<{ jobId: string }>(world, '/pam/replays', { method: 'POST', body });
  for (;;) {
    const { state, summary } = await call<Job>(world, `/pam/replays/${jobId}`);
    if (state === 'failed') throw new Error('the replay failed');
    if (state === 'completed') return { seconds: (performance.now() - began) / 1000, summary };
    await wait(POLL_MS);
  }
}

/** Another route of the same service, read by a few clients. */
const read = (world: World, seconds: number): Promise<Driven> =>
  drive({ seconds, clients: CLIENTS, once: () => call(world, '/pam/elevation-requests?limit=10') });

/** Reads until the replay has ended. */
async function readDuring(world: World, replay: Promise<unknown>, seconds: number): Promise<Driven[]> {
  const runs: Driven[] = [];
  let isOver = false;
  const over = replay.finally(() => (isOver = true));
  while (!isOver) runs.push(await read(world, Math.min(seconds, 2)));
  await over;
  return runs;
}

/** A replay of 200 000 requests under 1000 rules, and what it costs another route of the service. */
export async function benchReplay({ seconds, rounds }: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const tenant = await makeTenant(product, 1);
    const world: World = { product, tenant, door: await DirectDoor.open(product, 'pam') };
    const rows = new QueueRows(product, tenant);
    await rows.prepare();
    await rows.growTo(REQUESTS);
    await connected(adminUrl(product, 'pam'), (client) => client.query(ADD_RULES, [tenant.partnerId, tenant.orgId]));
    await read(world, seconds);
    const [alone, beside, times] = [[] as Driven[], [] as Driven[], [] as number[]];
    for (let round = 0; round < rounds; round++) {
      await untilQuiet(product);
      alone.push(await read(world, seconds));
      const replay = replayed(world);
      beside.push(...(await readDuring(world, replay, seconds)));
      const { seconds: took, summary } = await replay;
      times.push(took);
      say(`round ${round + 1}: ${summary?.totalScanned} requests, ${summary?.changed} changed, ${fine(took)} s`);
    }
    const row = (name: string, runs: readonly Driven[]): string[] => [
      name,
      whole(median(runs.map(({ perSecond }) => perSecond))),
      fine(median(runs.map(({ p50 }) => p50))),
      fine(median(runs.map(({ p99 }) => p99))),
    ];
    say(table([['list', 'per second', 'p50 ms', 'p99 ms'], row('alone', alone), row('beside a replay', beside)]));
    say(`replay of ${REQUESTS} requests with ${RULES} rules: ${fine(median(times))} s (target: 30 s)`);
  });
}
