import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { testServers } from './backing.ts';
import type { TestService } from './test-service.ts';

// What no call does: the relay of the outbox marks what it has published, and the housekeeping deletes it.
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND cardinality(pg_blocking_pids(pid)) > 0 AND query !~ '^(UPDATE|DELETE FROM) outbox'`;
/** How long a {@link patient} service waits for a lock. */
const LOCK_TIMEOUT_MS = 10_000;
/** On a busy machine a call may take its time to reach the gate. */
const TIMEOUT_MS = 60_000;
/** For services whose calls a gate holds up, until the last of them has reached it. */
export const patient = (...limits: string[]): { LOCK_TIMEOUT_MS: string; RATE_LIMITS: string } => ({
  LOCK_TIMEOUT_MS: String(LOCK_TIMEOUT_MS),
  // In one process changes of an object wait in line; those of several replicas meet at the database, as here.
  RATE_LIMITS: [...limits, 'objectChanges=8', 'collectionChanges=8'].join(),
});

/** A lock that stops each transaction with an event short of its commit. */
export const NO_OUTBOX = 'LOCK TABLE outbox IN SHARE MODE';

/** A transaction beside the service's own, whose locks stop the service at a known statement. */
export class Gate {
  private constructor(
    private readonly session: pg.Client,
    private readonly service: TestService,
  ) {}

  static async close(service: TestService, lock: string): Promise<Gate> {
    const url = new URL(testServers().postgresAdminUrl);
    url.pathname = service.database?.database ?? '';
    const session = new pg.Client({ connectionString: url.href });
    // A test that fails leaves it shut; what it holds goes with the database.
    await session.on('error', () => undefined).connect();
    await session.query(`BEGIN; ${lock}`);
    return new Gate(session, service);
  }

  /** Until so many sessions of calls and consumers wait, for the gate or for each other. */
  waited(sessions: number): Promise<void> {
    return this.until((waiting) => waiting >= sessions, `fewer than ${sessions} sessions wait`);
  }

  /** Until the lock timeout has ended the wait of every session. */
  gaveUp(): Promise<void> {
    return this.until((waiting) => waiting === 0, 'a session still waits');
  }

  /** Takes more locks. @throws when another session holds what these exclude */
  async take(lock: string): Promise<void> {
    await this.session.query(`${lock} NOWAIT`);
  }

  async open(): Promise<void> {
    await this.session.query('COMMIT');
    await this.session.end();
  }

  private async until(isSo: (waiting: number) => boolean, otherwise: string): Promise<void> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(20)) {
      if (isSo((await this.service.sql(WAITING)).length)) return;
    }
    throw new Error(otherwise);
  }
}

/** Makes calls at the same time. One that a busy machine kept waiting until it was answered 503 is made again. */
export const atOnce = <T extends { readonly status: number }>(
  count: number,
  call: (at: number) => PromiseLike<T>,
): Promise<T[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      let answer = await call(at);
      for (let again = 0; answer.status === 503 && again < 10; again++) answer = await call(at);
      return answer;
    }),
  );

/** Each call begins once the one before it waits, for the gate or for another call, or is done; then the gate opens. */
export async function overlapping<T>(
  service: TestService,
  lock: string,
  ...calls: (() => PromiseLike<T>)[]
): Promise<T[]> {
  const gate = await Gate.close(service, lock);
  const begun: Promise<T>[] = [];
  for (const call of calls) {
    const answer = Promise.resolve(call());
    begun.push(answer);
    await Promise.race([answer, gate.waited(begun.length)]);
  }
  await gate.open();
  return Promise.all(begun);
}
