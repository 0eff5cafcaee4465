import type { PoolClient } from 'pg';

/**
 * Sends COMMIT together with the last statement; if that statement fails, the server rolls back instead.
 * @throws the error of the last statement; Error when an earlier error was ignored
 */
export async function commit(client: PoolClient, last: Promise<unknown> | null = null): Promise<void> {
  const [{ command }] = await Promise.all([client.query('COMMIT'), last]);
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back, because one of its statements had failed');
}
