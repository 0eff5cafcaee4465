import pg from 'pg';
import type { Command } from '../command.ts';
import { checkedFiles, findBackup } from './backup-folder.ts';
import { fill, versionOf } from './backup.ts';
import { type DatabaseAddress, databaseAddresses } from './one-point.ts';

const RELATIONS = `
  SELECT count(*)::int AS count FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')`;

export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a database has no tables at all. */
const isEmpty = (url: string): Promise<boolean> =>
  connected(url, async (client) => (await client.query<{ count: number }>(RELATIONS)).rows[0]?.count === 0);

/** Gives the planner the statistics that a dump does not hold. */
const analyze = (url: string): Promise<unknown> => connected(url, (client) => client.query('ANALYZE'));

/** @throws Error that names the databases that hold something */
async function requireEmpty(databases: readonly DatabaseAddress[]): Promise<void> {
  const empty = await Promise.all(databases.map(({ url }) => isEmpty(url)));
  const full = databases.filter((_, index) => !empty[index]).map(({ name }) => name);
  if (full.length > 0)
    throw new Error(
      `nothing was restored, because these databases are not empty: ${full.join(', ')}. Restore into new ones, and migrate afterwards`,
    );
}

export const restore: Command = {
  name: 'restore',
  does: 'fills new, empty databases from the backup that --from names, or from the newest in that folder. Run it before migrations and services, with NATS empty. It needs DATABASE_OWNER_URL_<DATABASE> and pg_restore',
  options: { from: { type: 'string' } },
  run: async (_, { from }, say, env) => {
    if (typeof from !== 'string') throw new Error('--from is needed: a backup, or the folder that holds the backups');
    const path = findBackup(from);
    await versionOf('pg_restore', env);
    const databases = databaseAddresses(env);
    const { takenAt, files } = await checkedFiles(path);
    await requireEmpty(databases);
    const fills = databases.map(async ({ name, url }) => {
      await fill(url, files.get(name) ?? '', env);
      await analyze(url);
      say(`${name} is restored`);
    });
    const failed = (await Promise.allSettled(fills)).find((ended) => ended.status === 'rejected');
    if (failed) throw failed.reason;
    say(`restored from ${path}: everything as it was at ${takenAt}. Now run the migrations, then the services`);
    return 0;
  },
};
