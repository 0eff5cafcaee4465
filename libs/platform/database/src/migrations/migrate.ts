import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { createDataSource, type DatabaseDefinition, REQUEST_POOL } from '../connections/data-source.ts';
import { sqlStateOf } from '../connections/database-errors.ts';
import { adoptBaselines } from './baseline.ts';
import { PlatformSchema1700000000001 } from './platform-schema.ts';

/** A number that no other part of the product uses for an advisory lock. */
const MIGRATION_LOCK = 4_284_283;
/**
 * While a migration waits for a table lock, all other queries on that table queue behind it; this is less than the two
 * seconds that requests wait.
 */
const DDL_LOCK_TIMEOUT = '1s';
/** No request waits for a migration, so it may wait for a busy server. */
const CONNECTION_WAIT_MS = 30_000;
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 1_000;

/**
 * Takes an advisory lock on a separate connection, so that concurrent migration jobs wait instead of failing half-way.
 */
async function underLock<T>(ownerUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  // Without a listener, a broken connection would end the process without a message.
  const lost = new Promise<never>((_, reject) => client.on('error', reject));
  lost.catch(() => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await Promise.race([work(), lost]);
  } finally {
    await client.end();
  }
}

/**
 * The runtime role may use the rows, not shape the tables. Narrower rights (append-only tables) are revoked by the
 * migrations that create them, hence the order: defaults first.
 */
const grantsFor = (role: string): string => `
  GRANT USAGE ON SCHEMA public TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO ${role}`;

const roleOf = (url: string): string => pg.escapeIdentifier(decodeURIComponent(new URL(url).username));

/**
 * Retries when a lock was not available. Each migration is a transaction, so a failed attempt leaves nothing behind,
 * and the pause lets queued queries proceed.
 */
async function runPending(source: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await source.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (attempt === LOCK_TRIES || sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      await wait(LOCK_PAUSE_MS);
    }
  }
}

async function run(source: DataSource, runtimeRole: string): Promise<string[]> {
  await source.initialize();
  try {
    await source.query(`SET lock_timeout = '${DDL_LOCK_TIMEOUT}'`);
    await adoptBaselines(source);
    await source.query(grantsFor(runtimeRole));
    const pending = await new MigrationExecutor(source).getPendingMigrations();
    await runPending(source);
    return pending.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}

/**
 * Brings a service's schema to the newest version, as the owner of its tables, and grants the runtime role its rights.
 * Safe to run from many places at once.
 * @returns the names of the migrations that ran
 */
export function migrate(definition: DatabaseDefinition, urls: { owner: string; runtime: string }): Promise<string[]> {
  const source = createDataSource(
    definition,
    urls.owner,
    { ...REQUEST_POOL, size: 1, waitMs: CONNECTION_WAIT_MS, statementTimeoutMs: 0 },
    () => undefined,
  );
  source.setOptions({
    migrations: [PlatformSchema1700000000001, ...definition.migrations],
  });
  return underLock(urls.owner, () => run(source, roleOf(urls.runtime)));
}
