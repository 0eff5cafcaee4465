import type { ProblemError } from '@gatehouse/contracts-core';
import type { PoolClient } from 'pg';

interface PostgresError extends Error {
  code?: string;
  constraint?: string;
  driverError?: PostgresError;
}

const cause = (error: unknown): PostgresError | null => {
  if (!(error instanceof Error)) return null;
  const known = error as PostgresError;
  return known.driverError ?? known;
};

export const sqlStateOf = (error: unknown): string | null => cause(error)?.code ?? null;

/** The violated constraint, whose name states its rule, or null when the error is of another kind. */
export const constraintOf = (error: unknown): string | null => cause(error)?.constraint ?? null;

/**
 * The states after which a transaction is tried again. 23503: another transaction has deleted the row that a foreign
 * key names; the next try does not find that row and answers with the code for it.
 */
const RETRYABLE = new Set(['40001', '40P01', '23503']);
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(sqlStateOf(error) ?? '');

/**
 * 40001 and 40P01 arrive here only after the retries failed. 25P03 and 25P04 end the transaction of a process that was
 * frozen for too long; 28 and 3D refuse a new connection while the operator changes the password or the database.
 */
const UNAVAILABLE_STATES = /^(08|40001|40P01|53|57|58|55P03|25006|25P03|25P04|28|3D|XX)/;
const UNAVAILABLE_NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** The server's certificate is not of our authority, not for its name, or no longer valid. */
const UNTRUSTED_SERVER = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;
/** TypeORM releases its query runner when the connection breaks. */
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|does not support SSL connections|Connection terminated|Client has encountered a connection error|connection is not queryable|not established|Query read timeout|Query runner already released/i;

/** Whether a certificate was refused, of a database or another store. */
export const isUntrusted = (error: unknown): boolean => UNTRUSTED_SERVER.test(sqlStateOf(error) ?? '');

/** The server cannot answer now: the same request may succeed later, so it is a 503 and never a 500. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlStateOf(error) ?? '';
  return (
    UNAVAILABLE_STATES.test(state) ||
    isUntrusted(error) ||
    UNAVAILABLE_NETWORK.has(state) ||
    (error instanceof Error && UNAVAILABLE_TEXT.test(error.message))
  );
}

const DATA_EXCEPTION = /^22/;
/**
 * A value that passed validation but that storage cannot hold. Validation should have caught it; the client still gets
 * a 400.
 */
export const isDataException = (error: unknown): boolean => DATA_EXCEPTION.test(sqlStateOf(error) ?? '');

const INTEGRITY_VIOLATION = /^23/;
export const isIntegrityViolation = (error: unknown): boolean => INTEGRITY_VIOLATION.test(sqlStateOf(error) ?? '');

/**
 * Maps the violation of a named constraint to the problem for its rule; any other error is rethrown.
 * @example await tx.query(...).catch(onConstraint({ organization_slug_unique: () => new ProblemError('slug_taken', '…')
 * }))
 */
export const onConstraint =
  (problems: Readonly<Record<string, () => ProblemError>>) =>
  (error: unknown): never => {
    const problem = problems[constraintOf(error) ?? ''];
    throw problem ? problem() : error;
  };

/** A rollback waits for no lock. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 1_000 };

/** Rolls the transaction back. If that fails, the connection is closed so that it does not return to its pool. */
export async function rollBack(client: PoolClient): Promise<void> {
  await client.query(ROLLBACK).catch(() => void client.end().catch(() => undefined));
}
