import type { PoolClient } from 'pg';

/** A rollback has nothing to wait for. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 1_000 };

/**
 * Ends the transaction without its effects. A connection that cannot even do that is ended, so that it does not go back
 * to its pool.
 */
export async function rollBack(client: PoolClient): Promise<void> {
  await client.query(ROLLBACK).catch(() => void client.end().catch(() => undefined));
}
