import { startBacking } from '@gatehouse/stack';
import { Fleet, type FleetOptions } from '@gatehouse/testing/fleet';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RATE_LIMITS, type World, worldOf } from './world.ts';

/** The product with several replicas of each service behind balancers, on servers of its own. */
export async function startFleetWorld({ settings, ...options }: Omit<FleetOptions, 'backing'>): Promise<World<Fleet>> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  const backing = await startBacking({ directory, ephemeral: true, log: () => undefined });
  let fleet: Fleet | null = null;
  try {
    fleet = await Fleet.start({ ...options, backing, settings: { RATE_LIMITS, ...settings } });
    return await worldOf(fleet, backing, directory);
  } catch (error) {
    await fleet?.stop();
    await backing.stop();
    throw error;
  }
}
