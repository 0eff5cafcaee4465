import pg from 'pg';
import type { DataSource } from 'typeorm';

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
  constructor(private readonly requests: DataSource) {}

  /** @throws Error before the service is connected */
  async connect(): Promise<pg.PoolClient> {
    const pool = poolOf(this.requests);
    if (!pool) throw new Error('the data source is not initialised');
    return pool.connect();
  }
}
