import type { RunningProduct } from '@gatehouse/stack';
import { hostileReports } from './hostile-reports.ts';
import type { BenchOptions, Scenario } from './options.ts';
import { withProduct } from './product.ts';

/**
 * One kind of hostile load beside a quiet tenant; prints the quiet tenant's p99 with and without it, and their ratio.
 */
export type HostileLoad = (product: RunningProduct, options: BenchOptions) => Promise<void>;

const LOADS: readonly HostileLoad[] = [hostileReports];

/** A hostile tenant beside a quiet one, under the limits as they are shipped. */
export const benchHostile: Scenario = (options) =>
  withProduct({}, async (product) => {
    for (const load of LOADS) await load(product, options);
  });
