import { type Api, connected, type RunningProduct } from '@gatehouse/stack';
import { performance } from 'node:perf_hooks';
import { startChild } from './child.ts';
import type { Return } from './fleet-child.ts';
import { type BenchOptions, fine, say, whole } from './command-line.ts';
import { withProduct } from './product.ts';
import { adminUrl } from './statements.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const AGENTS = 500;
const QUEUED = 20;
const TECHNICIANS = 4;
const LOOK_AGAIN_MS = 100;

interface Stored {
  readonly rows: number;
  readonly reports: number;
}

/**
 * The final state: lost reports are missing among the distinct ids, and doubled ones make more rows than distinct ids.
 */
const stored = (product: RunningProduct, orgId: string): Promise<Stored> =>
  connected(adminUrl(product, 'pam'), async (client) => {
    const { rows } = await client.query<Stored>(
      `SELECT count(*)::int AS rows, count(DISTINCT command_line)::int AS reports FROM elevation_requests
        WHERE org_id = $1`,
      [orgId],
    );
    return rows[0] ?? { rows: 0, reports: 0 };
  });

/** Technicians who decide requests until they are stopped; returns the milliseconds of each decision. */
async function decide(admin: Api, orgId: string, stop: AbortSignal): Promise<{ latencies: number[]; refused: number }> {
  const latencies: number[] = [];
  let refused = 0;
  const technician = async (at: number): Promise<void> => {
    while (!stop.aborted) {
      const { requests } = await admin.must<{ requests: { id: string }[] }>(
        'GET',
        `/pam/elevation-requests?orgId=${orgId}&status=pending&limit=${10 * TECHNICIANS}`,
      );
      if (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      for (const { id } of requests.filter((_, index) => index % TECHNICIANS === at)) {
        const since = performance.now();
        const { status } = await admin.call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
        latencies.push(performance.now() - since);
        // Another technician may have decided it first: go on with the list.
        if (status !== 200 && status !== 409) refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: TECHNICIANS }, (_, at) => technician(at)));
  return { latencies: latencies.sort((a, b) => a - b), refused };
}

async function storm(product: RunningProduct, { admin, orgId, siteId, devices }: Tenant): Promise<void> {
  const over = new AbortController();
  const deciding = decide(admin, orgId, over.signal);
  // The agents run in a separate process, so that their CPU time does not delay the technicians.
  const { ready: back, stop } = await startChild<Return>('./fleet-child.js', [
    product.baseUrl,
    orgId,
    siteId,
    String(QUEUED),
    JSON.stringify(devices),
  ]);
  over.abort();
  await stop();
  const { latencies, refused } = await deciding;
  const { rows, reports } = await stored(product, orgId);
  const at = (share: number): string => fine(latencies[Math.floor((latencies.length - 1) * share)] ?? 0);
  say(
    `${devices.length} agents at once, ${QUEUED} queued reports each, every fifth sent twice: ${fine(back.seconds)} s, ${whole(back.reports / back.seconds)} reports/s, ${back.turnedAway} times told to come again`,
  );
  say(`lost ${back.reports - reports}, doubled ${rows - reports}, answered with two ids ${back.disagreements}`);
  say(
    `${latencies.length} decisions of ${TECHNICIANS} technicians beside the reports: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, failed ${refused}`,
  );
}

/** A fleet reconnects after an outage, under the default limits, while technicians decide requests. */
export async function benchFleet(_: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => storm(product, await makeTenant(product, AGENTS)));
}
