import { startMigratedBacking } from '@gatehouse/testing';
import { Fleet, type FleetOptions } from '@gatehouse/testing/fleet';
import { poolProduct } from '@gatehouse/testing/pooler';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RATE_LIMITS, type World, worldOf } from './world.ts';

/** The product with several replicas of each service behind balancers, on servers of its own. */
export async function startFleetWorld({ settings, ...options }: Omit<FleetOptions, 'backing'>): Promise<World<Fleet>> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  const backing = await startMigratedBacking(directory);
  const pooled = await poolProduct(backing.postgres.url);
  let fleet: Fleet | null = null;
  try {
    fleet = await Fleet.start({ ...options, backing, settings: { RATE_LIMITS, ...pooled.settings, ...settings } });
    const world = await worldOf(fleet, backing, directory);
    return { ...world, stop: () => world.stop().finally(() => pooled.stop()) };
  } catch (error) {
    await fleet?.stop();
    await pooled.stop();
    await backing.stop();
    throw error;
  }
}
