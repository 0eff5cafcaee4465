import type { PoolClient } from 'pg';

/** A rollback waits for no lock. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 1_000 };

/** Rolls the transaction back. If that fails, the connection is closed so that it does not return to its pool. */
export async function rollBack(client: PoolClient): Promise<void> {
  await client.query(ROLLBACK).catch(() => void client.end().catch(() => undefined));
}
