import { type DatabaseName, DATABASES, databaseSettings } from '@gatehouse/contracts-core';
import { setTimeout as wait } from 'node:timers/promises';
import { stackFileOf } from '../settings.ts';
import { Cut, isLocked } from './cut.ts';

/** A database, reached as the owner of its tables and past any pooler. */
export interface DatabaseAddress {
  readonly name: DatabaseName;
  /** With the password, for the driver. */
  readonly url: string;
}

interface Endpoints {
  readonly databases?: Readonly<Record<string, { readonly owner?: string } | undefined>>;
}

/**
 * As the services verify: DATABASE_CA_FILE turns TLS on, and no server is believed without a certificate for its name.
 */
function verifying(address: string, authority: string | undefined): string {
  if (!authority) return address;
  const url = new URL(address);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', authority);
  return url.href;
}

/**
 * DATABASE_OWNER_URL_<DATABASE> from the environment, else what `npm start` left behind.
 * @throws one line that names the setting that is missing
 */
export function databaseAddresses(env: NodeJS.ProcessEnv): readonly DatabaseAddress[] {
  const { databases = {} } = stackFileOf<Endpoints>(env, 'endpoints.json');
  return DATABASES.map((name) => {
    const setting = databaseSettings(name).owner;
    const url = env[setting] ?? databases[name]?.owner;
    if (!url) throw new Error(`${setting} is missing, and no product was started here`);
    return { name, url: verifying(url, env['DATABASE_CA_FILE']) };
  });
}

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
