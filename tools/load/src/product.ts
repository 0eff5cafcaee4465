import { type RunningProduct, startProduct } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuUse } from './processes.ts';

/** Runs `work` on a separate product, which is stopped afterwards, also when the measurement is interrupted. */
export async function withProduct(
  settings: Readonly<Record<string, string>>,
  work: (product: RunningProduct) => Promise<void>,
): Promise<void> {
  const product = await startProduct({ LOG_LEVEL: 'error', ...settings });
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
const PATIENCE_MS = 20_000;

const busy = (product: RunningProduct): number =>
  [...cpuUse(product).values()].reduce((sum, seconds) => sum + seconds, 0);

/**
 * Waits until events are published, audited and consumed: that work belongs to the cost of the requests, and must not
 * slow the next measurement.
 */
export async function untilQuiet(product: RunningProduct): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let before = busy(product); Date.now() < deadline;) {
    await pause(LOOK_MS);
    const now = busy(product);
    if (now - before < (LOOK_MS / 1000) * QUIET_SHARE) return;
    before = now;
  }
}
