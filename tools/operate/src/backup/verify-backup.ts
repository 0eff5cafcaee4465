import { DATABASES } from '@gatehouse/contracts-core';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type pg from 'pg';
import type { Command } from '../command.ts';
import { checkedFiles, findBackup } from './backup-folder.ts';
import { fill } from './backup.ts';
import { connected } from './restore.ts';

/** The roles to whom a dump grants rights. They cannot log in. */
const rolesOf = (database: string): string[] => [`gatehouse_${database}_owner`, `gatehouse_${database}_app`];
const passing = (database: string): string => `gatehouse_${database}_verified_backup`;

const ROWS = `
  SELECT sum((xpath('/row/c/text()',
               query_to_xml(format('SELECT count(*) AS c FROM %s', oid::regclass), false, true, '')))[1]::text::bigint
             )::text AS rows
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/** Chains that lack an entry, in which one does not follow the one before it, or that end elsewhere than they say. */
const BROKEN = `
  WITH followed AS (
    SELECT chain, sequence, hash, previous_hash, lag(hash) OVER past AS past_hash, row_number() OVER past AS place
      FROM audit_entries WINDOW past AS (PARTITION BY chain ORDER BY sequence)),
  ends AS (SELECT DISTINCT ON (chain) chain, sequence, hash FROM audit_entries ORDER BY chain, sequence DESC)
  SELECT chain FROM followed
   WHERE sequence <> place OR previous_hash <> coalesce(past_hash, repeat('0', 64))
   UNION
  SELECT chain FROM chains FULL JOIN ends USING (chain)
   WHERE length IS DISTINCT FROM coalesce(sequence, 0) OR (length > 0 AND head IS DISTINCT FROM hash)
   UNION
  SELECT checkpoints.chain FROM checkpoints LEFT JOIN audit_entries
      ON audit_entries.chain = checkpoints.chain AND sequence = checkpoints.length
   WHERE hash IS DISTINCT FROM checkpoints.head`;

const onServer = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

async function prepare(client: pg.Client, database: string): Promise<void> {
  for (const role of rolesOf(database)) {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${role}`);
  }
  await client.query(`DROP DATABASE IF EXISTS ${passing(database)}`);
  await client.query(`CREATE DATABASE ${passing(database)}`);
}

/** @throws Error that names the chains that are not whole */
async function requireWholeChains(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ chain: string }>(BROKEN);
  if (rows.length > 0)
    throw new Error(
      `the audit log in the backup is broken, in the chains ${rows.map(({ chain }) => chain).join(', ')}`,
    );
}

/** A database of a backup, to restore on the server at `url`. */
interface Restored {
  readonly url: string;
  readonly database: string;
  readonly file: string;
}

/** Restores one database for as long as the work with it lasts. */
export async function restored<T>(
  { url, database, file }: Restored,
  env: NodeJS.ProcessEnv,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const at = onServer(url, passing(database));
  await connected(url, (client) => prepare(client, database));
  try {
    await fill(at, file, env);
    return await connected(at, work);
  } finally {
    await connected(url, (client) => client.query(`DROP DATABASE ${passing(database)}`));
  }
}

/** @returns how many rows the database has */
const tried = (of: Restored, env: NodeJS.ProcessEnv): Promise<string> =>
  restored(of, env, async (client) => {
    if (of.database === 'audit') await requireWholeChains(client);
    return (await client.query<{ rows: string }>(ROWS)).rows[0]?.rows ?? '';
  });

const SCRAPED_WITHIN_MS = 10 * 60_000;

/**
 * Answers Prometheus from now on, so that it does not take the process for a lost one, without numbers at first.
 * @returns tells the numbers, until they were read once or nothing has asked for ten minutes
 */
function metricsAt(port: number): (numbers: Readonly<Record<string, number>>) => Promise<void> {
  let text = '';
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4', connection: 'close' }).end(text);
    if (text !== '') server.close();
  }).listen(port);
  server.unref();
  return async (numbers) => {
    text = Object.entries(numbers)
      .map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`)
      .join('');
    server.ref();
    const timer = setTimeout(() => server.close(), SCRAPED_WITHIN_MS);
    await once(server, 'close');
    clearTimeout(timer);
  };
}

function portOf(metrics: unknown): number | null {
  if (metrics === undefined) return null;
  const port = Number(metrics);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('--metrics must be the number of a port');
  return port;
}

export const verifyBackup: Command = {
  name: 'verify-backup',
  does: 'restores the backup that --from names, or the newest in that folder, into passing databases of the PostgreSQL server --into (an address with an administrator; use a server that holds nothing else), and checks that the audit log in it is whole. With --metrics it tells Prometheus the result at that port, and ends when it was read. It needs pg_restore',
  options: { from: { type: 'string' }, into: { type: 'string' }, metrics: { type: 'string' } },
  run: async (_, { from, into, metrics }, say, env) => {
    if (typeof from !== 'string') throw new Error('--from is needed: a backup, or the folder that holds the backups');
    if (typeof into !== 'string') throw new Error('--into is needed: the address of a PostgreSQL server');
    const port = portOf(metrics);
    const tell = port === null ? null : metricsAt(port);
    const began = Date.now();
    const path = findBackup(from);
    const { takenAt, files } = await checkedFiles(path);
    for (const database of DATABASES) {
      const rows = await tried({ url: into, database, file: files.get(database) ?? '' }, env);
      say(`${database}: ${rows} rows were restored`);
    }
    const seconds = Math.ceil((Date.now() - began) / 1000);
    say(`${path} holds everything as it was at ${takenAt}, restored in ${seconds} s`);
    await tell?.({
      gatehouse_backup_verified_timestamp_seconds: Math.floor(Date.now() / 1000),
      gatehouse_backup_taken_timestamp_seconds: Math.floor(Date.parse(takenAt) / 1000),
      gatehouse_backup_restore_seconds: seconds,
    });
    return 0;
  },
};
