import pg from 'pg';
import type { DataSource } from 'typeorm';
import { type Settings, transactionSettingsOf } from './transaction-settings.ts';

const pools = new WeakMap<DataSource, pg.Pool>();

/**
 * The `pg` driver with a pool that reports its creation. TypeORM creates the pool when the data source is initialised,
 * and keeps it to itself.
 */
export const driverReporting = (created: (pool: pg.Pool) => void): typeof pg => {
  class ReportingPool extends pg.Pool {
    constructor(options?: pg.PoolConfig) {
      super(options);
      created(this);
    }
  }
  return Object.create(pg, { Pool: { value: ReportingPool } }) as typeof pg;
};

export const rememberPool = (source: DataSource, pool: pg.Pool): void => void pools.set(source, pool);

/** The pool of a data source, or null before it is initialised. */
export const poolOf = (source: DataSource): pg.Pool | null => pools.get(source) ?? null;

/** Connections for code that uses `pg` itself: batches of reports, and LISTEN. */
export class RequestConnections {
  /** @param directUrl leads past a pooler, which serves no LISTEN */
  constructor(
    private readonly requests: DataSource,
    private readonly directUrl: string | null = null,
  ) {}

  /** What each transaction on these connections must set itself; null: the sessions are the service's own. */
  get transactionSettings(): Settings | null {
    return transactionSettingsOf(this.requests);
  }

  /** @throws Error before the service is connected */
  async connect(): Promise<pg.PoolClient> {
    const pool = poolOf(this.requests);
    if (!pool) throw new Error('the data source is not initialised');
    return pool.connect();
  }

  /** A connection with a session of its own, for LISTEN. Null behind a pooler without a direct address. */
  async connectDirectly(): Promise<OwnConnection | null> {
    if (this.directUrl !== null) {
      const client = new pg.Client({ connectionString: this.directUrl, keepAlive: true });
      await client.connect();
      return { client, end: () => void client.end().catch(() => undefined) };
    }
    if (this.transactionSettings !== null) return null;
    const client = await this.connect();
    return { client, end: () => client.release(true) };
  }
}

export interface OwnConnection {
  readonly client: pg.ClientBase;
  end(): void;
}
