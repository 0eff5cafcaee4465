import { type TestService, testServers } from '@gatehouse/testing';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const WAITING =
  'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0';
/** As long as a service of {@link PATIENT} waits itself. */
const PATIENCE_MS = 10_000;
/** For services whose calls are held up: on a busy machine the last call may take its time to get there. */
export const PATIENT = {
  LOCK_TIMEOUT_MS: String(PATIENCE_MS),
  // In one process changes of an object wait in line; those of several replicas meet at the database, as here.
  RATE_LIMITS: 'objectChanges=8,collectionChanges=8',
};

/**
 * Calls at the same time: each comes as far as those before it let it, and the first stops short of its commit until
 * all have begun.
 */
export async function overlapping<T>(service: TestService, ...calls: (() => PromiseLike<T>)[]): Promise<T[]> {
  const url = new URL(testServers().postgresAdminUrl);
  url.pathname = service.database?.database ?? '';
  const gate = new pg.Client({ connectionString: url.href });
  await gate.connect();
  await gate.query('BEGIN; LOCK TABLE outbox IN SHARE MODE');
  try {
    const begun: Promise<T>[] = [];
    for (const call of calls) {
      begun.push(Promise.resolve(call()));
      await waiting(service, begun.length);
    }
    await gate.query('COMMIT');
    return await Promise.all(begun);
  } finally {
    await gate.end();
  }
}

async function waiting(service: TestService, sessions: number): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(20)) {
    if ((await service.sql(WAITING)).length >= sessions) return;
  }
  throw new Error(`fewer than ${sessions} sessions wait`);
}
