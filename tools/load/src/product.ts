import { type RunningProduct, startBacking, startProduct } from '@gatehouse/stack';
import { Fleet } from '@gatehouse/testing/fleet';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuUse } from './processes.ts';

type Settings = Readonly<Record<string, string>>;

/** Several replicas of each service behind balancers, which run in this process: their CPU is not the product's. */
async function startReplicas(replicas: number, settings: Settings, checkout?: string): Promise<RunningProduct> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-backing-'));
  const backing = await startBacking({ directory, log: () => undefined });
  // Where those of one replica each lie.
  const mail = join(directory, 'mail');
  mkdirSync(mail);
  const fleet = await Fleet.start({ backing, replicas, lagMs: 0, settings: { ...settings, MAIL_DIR: mail }, checkout });
  return {
    baseUrl: fleet.baseUrl,
    // The servers' records lie there.
    directory,
    endpoints: fleet.endpoints,
    administrator: fleet.administrator,
    internalIdentityKey: fleet.internalIdentityKey,
    pidOf: (service) => fleet.pidOf(service),
    pidsOf: (service) => fleet.pidsOf(service),
    stop: async () => {
      await fleet.stop();
      await backing.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Runs `work` on a separate product, which is stopped afterwards, also when the measurement is interrupted.
 * @param replicas 0: the product as `npm start` runs it
 * @param checkout of another version, which is built; it has replicas
 */
export async function withProduct(
  settings: Settings,
  work: (product: RunningProduct) => Promise<void>,
  replicas = 0,
  checkout?: string,
): Promise<void> {
  const own = { LOG_LEVEL: 'error', ...settings };
  const product = await (replicas === 0 ? startProduct(own) : startReplicas(replicas, own, checkout));
  const breakOff = (): void => void product.stop().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, breakOff);
  try {
    await work(product);
  } finally {
    await product.stop();
  }
}

const LOOK_MS = 500;
const QUIET_SHARE = 0.25;
const TIMEOUT_MS = 20_000;

const busy = (product: RunningProduct): number =>
  [...cpuUse(product).values()].reduce((sum, seconds) => sum + seconds, 0);

/**
 * Waits until events are published, audited and consumed: that work belongs to the cost of the requests, and must not
 * slow the next measurement.
 */
export async function untilQuiet(product: RunningProduct): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (let before = busy(product); Date.now() < deadline;) {
    await pause(LOOK_MS);
    const now = busy(product);
    if (now - before < (LOOK_MS / 1000) * QUIET_SHARE) return;
    before = now;
  }
}
