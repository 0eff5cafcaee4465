import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseAddress } from './addresses.ts';
import { Cut, isLocked } from './cut.ts';

const TRIES = 60;
const PAUSE_MS = 1_000;

/** Where a dump of one database reads. */
export interface View extends DatabaseAddress {
  readonly snapshot: string;
}

/**
 * Views of all databases of one point in time: no consumer's view holds the effect of an event that its publisher's
 * view lacks. An event commits with the outbox row that carries it, so that one point is any moment in which all
 * outboxes are locked.
 * @param work is given the views while they last
 */
export async function atOnePoint<T>(
  databases: readonly DatabaseAddress[],
  work: (views: readonly View[], at: Date) => Promise<T>,
): Promise<T> {
  const cuts: Cut[] = [];
  try {
    for (const { url } of databases) cuts.push(await Cut.open(url));
    await requireVisible(databases, cuts);
    const snapshots = await viewAll(cuts);
    const at = new Date();
    return await work(
      databases.map((database, index) => ({ ...database, snapshot: snapshots[index] ?? '' })),
      at,
    );
  } finally {
    await Promise.allSettled(cuts.map((cut) => cut.close()));
  }
}

/** @throws Error that names the tables whose rows a dump would miss */
async function requireVisible(databases: readonly DatabaseAddress[], cuts: readonly Cut[]): Promise<void> {
  const hidden = await Promise.all(cuts.map((cut) => cut.hiddenTables()));
  const named = hidden.flatMap((tables, index) => tables.map((table) => `${databases[index]?.name ?? ''}.${table}`));
  if (named.length > 0)
    throw new Error(`row security hides rows of ${named.join(', ')} from the owner: run the migrations first`);
}

async function viewAll(cuts: readonly Cut[]): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await viewOnce(cuts);
    } catch (error) {
      if (attempt === TRIES || !isLocked(error)) throw error;
      await wait(PAUSE_MS);
    }
  }
}

async function viewOnce(cuts: readonly Cut[]): Promise<string[]> {
  try {
    const holds = await Promise.allSettled(cuts.map((cut) => cut.hold()));
    const failed = holds.find((hold) => hold.status === 'rejected');
    if (failed) throw failed.reason;
    return await Promise.all(cuts.map((cut) => cut.view()));
  } finally {
    await Promise.all(cuts.map((cut) => cut.letGo()));
  }
}
