import type { Conditions, SqlParameter } from '@gatehouse/database';
import { toSnake } from '@gatehouse/database';

/**
 * The assignments of an UPDATE (`name = $3, max_devices = $4`) from a validated patch, whose DTO members name the
 * columns. Objects are stored as JSON.
 */
export const assignments = (patch: object, conditions: Conditions): string =>
  Object.entries(patch)
    .map(([member, value]) => `${toSnake(member)} = ${conditions.bind(value as SqlParameter)}`)
    .join(', ');

/** Columns and placeholders of an INSERT; undefined members keep the column's default. */
export function insertion(row: object): { columns: string; placeholders: string; values: SqlParameter[] } {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return {
    columns: given.map(([member]) => toSnake(member)).join(', '),
    placeholders: given.map((_, at) => `$${at + 1}`).join(', '),
    values: given.map(([, value]) => value as SqlParameter),
  };
}

/** Requires that a statement with RETURNING returned its row. */
export function returned<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new Error('a statement that returns its row returned none');
  return row;
}
