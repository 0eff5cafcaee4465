import { ProblemError } from '@gatehouse/contracts-core';
import pg, { type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** Settings of PostgreSQL by name. */
export type Settings = Readonly<Record<string, string>>;

const carried = new WeakMap<DataSource, Settings>();

export const carryPerTransaction = (source: DataSource, settings: Settings): void => void carried.set(source, settings);

/** What each transaction of a data source must set itself, because a pooler stands before the server; else null. */
export const transactionSettingsOf = (source: DataSource): Settings | null => carried.get(source) ?? null;

/**
 * Ends a connection to a pooler after any failure but a refusal of ours. A statement whose preparation failed keeps its
 * name at PgBouncer, which would refuse to prepare it again on this connection.
 */
export function discardAfter(error: unknown, source: DataSource, client: PoolClient): void {
  if (carried.has(source) && !(error instanceof ProblemError)) void client.end().catch(() => undefined);
}

/**
 * Opens a transaction and makes its settings in one round trip. Values are literals, because only the simple protocol
 * accepts several statements, and it has no parameters. SET LOCAL is used because the server neither plans it nor
 * returns a row.
 */
export const beginWith = (mode: 'READ WRITE' | 'READ ONLY', settings: Settings): string =>
  [
    `BEGIN ${mode}`,
    ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`),
  ].join('; ');

/** Runs one statement in a transaction of its own, in one round trip. */
export async function inOwnTransaction<T>(client: PoolClient, begin: string, statement: () => Promise<T>): Promise<T> {
  const begun = client.query(begin);
  begun.catch(() => undefined);
  const result = statement();
  await commit(client, result);
  await begun;
  return result;
}

/**
 * Sends COMMIT together with the last statement; if that statement fails, the server rolls back instead.
 * @throws the error of the last statement; Error when an earlier error was ignored
 */
export async function commit(client: PoolClient, last: Promise<unknown> | null = null): Promise<void> {
  const [{ command }] = await Promise.all([client.query('COMMIT'), last]);
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back, because one of its statements had failed');
}
